import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { createClient } from '../../engine/client/create-client.js'
import { type Deployment, deployments } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { type Backup, backup, backupDefinition, backups, deploymentFor, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { dyingAt, dyingPhases } from '../dying-transport.fixture.js'
import { controller } from '../engine/controller.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

/** The Deployment without its number of replicas, for an autoscaler. */
function withoutReplicas(object: Parameters<typeof deploymentFor>[0]): Deployment {
  const { spec, ...deployment } = deploymentFor(object)
  const { replicas: _, ...others } = spec ?? {}
  return { ...deployment, spec: others as NonNullable<Deployment['spec']> }
}

const older: ControllerOptions<Backup> = {
  owns: [deployments],
  reconcile: async (ctx, object) => void (await ctx.apply(deployments, deploymentFor(object))),
}
const newer: ControllerOptions<Backup> = {
  owns: [deployments],
  reconcile: async (ctx, object) =>
    void (await ctx.apply(deployments, withoutReplicas(object), { release: ['spec.replicas'] })),
}

async function deployed() {
  const server = await createApiServer()
  const client = createClient({ transport: inProcessTransport(server) })
  const run = (options: ControllerOptions<Backup>, wrap?: (transport: Transport) => Transport) =>
    testOperator((operator) => operator.register(controller(backups, options)), {
      name: 'memcached-operator',
      definitions: [backupDefinition],
      logger: silentLogger,
      servers: { main: server },
      ...(wrap && { wrap }),
    })
  const first = await run(older)
  await client.create(backups, backup(5))
  await first.settled()
  await first.stop()
  const replicas = async () => (await client.get(deployments, key)).spec?.replicas
  return { client, run, replicas }
}

void t.test(
  'a field that is released keeps its value at every crash point, and belongs to others then',
  async (t) => {
    for (const phase of dyingPhases)
      for (const at of [0, 1, 2]) {
        const { client, run, replicas } = await deployed()
        const crashed = await run(newer, (transport) => dyingAt(transport, at, phase)).catch(() => undefined)
        t.equal(await replicas(), 5, `${phase} write ${at}`)
        await crashed?.stop()
        const last = await run(newer)
        t.equal(await replicas(), 5)
        await client.patch(deployments, key, merge({ spec: { replicas: 9 } }))
        await client.patch(backups, key, merge({ spec: { size: 6 } }))
        await last.settled()
        t.equal(await replicas(), 9)
        await last.stop()
      }
  },
)

void t.test('a field that was handed over costs no further call', async (t) => {
  const { run, client } = await deployed()
  const second = await run(newer)
  await second.stop()
  const before = (await client.get(deployments, key)).metadata.resourceVersion
  const third = await run(newer)
  await third.stop()
  t.equal((await client.get(deployments, key)).metadata.resourceVersion, before)
})

void t.test('a field that is released and applied is a mistake', async (t) => {
  const errors: unknown[] = []
  const { client, settled } = await recordedOperator(t, {
    owns: [deployments],
    reconcile: async (ctx, object) =>
      void (await ctx
        .apply(deployments, deploymentFor(object), { release: ['spec.replicas'] })
        .catch((error: unknown) => errors.push(error))),
  })
  await client.create(backups, backup(5))
  await settled()
  t.match(String(errors[0]), /spec\.replicas is released and applied/)
})
