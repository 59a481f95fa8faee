import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { type Backup, backup, backups, deploymentFor, key } from '../backups.fixture.js'
import type { ContextOf } from '../controller/context.js'
import type { ControllerOptions } from '../controller/definition.js'
import type { ObjectOf } from '../kind/define/kind.js'
import { recordedOperator } from '../recorded-operator.fixture.js'

/** A controller with a dependency, which its methods reach by `this`. */
class BackupController implements ControllerOptions<Backup> {
  readonly owns = [deployments]
  readonly finalized: string[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  async reconcile(
    ctx: ContextOf<typeof backups>,
    object: DeepReadonly<ObjectOf<typeof backups>>,
  ): Promise<void> {
    const size = this.#limited(object.spec.size)
    await ctx.apply(deployments, deploymentFor({ ...object, spec: { ...object.spec, size } }))
    ctx.condition('Available', size === object.spec.size, 'Limited')
    // @ts-expect-error: the status has no such field
    ctx.status.sizes = undefined
    // @ts-expect-error: the size is a number
    const wrong: string = object.spec.size
    void wrong
  }

  finalize(ctx: ContextOf<typeof backups>): void {
    this.finalized.push(ctx.key.name)
  }

  #limited(size: number): number {
    return Math.min(size, this.#limit)
  }
}

void t.test('a class with a dependency is a controller', async (t) => {
  const made = new BackupController(2)
  const test = await recordedOperator(t, made)
  await test.client.create(backups, backup(3))
  await test.settled()
  t.equal((await test.client.get(deployments, key)).spec?.replicas, 2)
  t.match((await test.client.get(backups, key)).status?.conditions, [{ type: 'Available', status: 'False' }])
  await test.client.delete(backups, key)
  await test.settled()
  t.strictSame(made.finalized, [key.name])
})
