import t from 'tap'
import { testPlugin } from '../../../testing/index.js'
import { type Service, services } from '../../engine/kube/builtin.js'
import type { Logger } from '../../engine/observe/logger.js'
import { ClientHook, type HookType, hookTypes } from './client-hook.js'
import { unpairedReads } from './unpaired-reads.js'

/** A hook with a method for each of these types. */
class Hook extends ClientHook<Service> {
  constructor(types: readonly HookType[]) {
    super('port-hook', services)
    for (const type of types) Object.assign(this, { [`mutate${type}`]: () => undefined })
  }
}

const problemsOf = (...types: HookType[]) => unpairedReads(new Hook(types))

void t.test(
  'a hook that changes reads but not every write gets a problem that names the missing method',
  async (t) => {
    t.same(problemsOf('GetVirtual', 'UpdateVirtual'), [
      'hook port-hook has mutateGetVirtual but not mutateCreateVirtual: vcluster writes an object back as mutateGetVirtual ' +
        'showed it, so what the hook adds would stay on the Service in the virtual cluster. Add mutateCreateVirtual and take it ' +
        'out there; return the object unchanged if there is nothing to take out',
    ])
    t.match(problemsOf('GetVirtual'), [/ but not mutateCreateVirtual and mutateUpdateVirtual: /])
    t.match(problemsOf('GetPhysical', 'CreatePhysical'), [
      /mutateGetPhysical but not mutateUpdatePhysical: .* in the host cluster/,
    ])
    t.equal(problemsOf('GetVirtual', 'GetPhysical').length, 2, 'a sentence for each cluster')
  },
)

void t.test('a hook that changes no reads, or has both writes, gets no problem', async (t) => {
  t.same(problemsOf('CreatePhysical', 'UpdateVirtual'), [])
  t.same(problemsOf('GetVirtual', 'CreateVirtual', 'UpdateVirtual'), [])
  t.same(problemsOf(...hookTypes), [])
  t.same(problemsOf(), [])
})

void t.test('the plugin warns when such a hook is registered', async (t) => {
  const warnings: string[] = []
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: (_, message) => warnings.push(message),
    error: () => {},
    child: () => logger,
  }
  const { stop } = await testPlugin((plugin) => plugin.register(new Hook(['GetVirtual'])), { logger })
  t.teardown(stop)
  t.match(warnings, [/^hook port-hook has mutateGetVirtual but not /])
})
