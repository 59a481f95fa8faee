// Tests the deletion of an object whose release is in a cluster that is gone.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { testOperator } from '../../../testing/index.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { annotationNames } from '../annotations/annotation-reader.js'
import { definition, greetings, key } from './greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, register, until } from './reconciled.fixture.js'

void t.test(
  'a deletion waits for a cluster that is gone, says so, and abandon lets the object go',
  async (t) => {
    let isGone = false
    const unreachable = (transport: Transport): Transport => ({
      stream: transport.stream.bind(transport),
      close: () => transport.close(),
      request: (call) =>
        isGone ? Promise.reject(new Error('the cluster far does not answer')) : transport.request(call),
    })
    const options = {
      cluster: 'main',
      target: 'far',
      targetNamespace: 'default',
      annotations: annotationNames,
    }
    const test = await testOperator(register({ ...options, reconcilePeriodMs: 0 }), {
      definitions: [definition],
      logger: silentLogger,
      servers: { main: await createApiServer({}), far: await createApiServer({}) },
      wrap: (transport, cluster) => (cluster === 'far' ? unreachable(transport) : transport),
    })
    t.teardown(() => test.stop())
    await create(test, { text: 'one' })
    await test.settled()
    const far = { client: test.clientOf('far') }
    t.match(await find(far, configMaps), { data: { text: 'one' } })

    isGone = true
    await test.client.delete(greetings, key)
    const told = () => eventsOf(test, 'UninstallFailed')
    await until(async () => (await told()).length > 0)
    t.match(await told(), [/^of hello: the cluster far does not answer/])
    t.match(await conditionOf(test, 'ReleaseFailed'), { status: 'True', reason: 'UninstallError' })
    t.ok((await find(test, greetings))?.metadata.deletionTimestamp, 'the object is still there')
    await edit(test, { metadata: { annotations: { [annotationNames.abandon]: 'true' } } })
    await until(async () => (await find(test, greetings)) === undefined)
    t.match(await eventsOf(test, 'Abandoned'), [
      /the release of hello is given up; some of its objects may remain/,
    ])
    t.ok(await find(far, configMaps), 'its object is left')
  },
)
