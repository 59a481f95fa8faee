import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { modules } from '../../sdk/modules/kinds/module-kind.js'
import { definitions, moduleOf } from '../../sdk/modules/module/modules.fixture.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { until } from '../../test/until.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { LastErrors } from './last-errors.js'
import { ShownObjects } from './shown-objects.js'

// The runner of the tests sets another limit.
process.env.VCLUSTER_PLUGIN_READY_TIMEOUT = '20'

void t.test('an object that an operator does not handle in time has an error of its own', async (t) => {
  const shown = new ShownObjects({ objectChanged() {}, lastErrors: new LastErrors() })
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    code: 'NOT_READY',
    message:
      /^Backup default\/daily got no true condition, such as Ready or Available, within 20 s; see the program's log with --verbose; if it only needs more time, set VCLUSTER_PLUGIN_READY_TIMEOUT=80 \(seconds\)$/,
  })
})

void t.test('the error names the last error of the object in the log', async (t) => {
  const lastErrors = new LastErrors()
  const shown = new ShownObjects({ objectChanged() {}, lastErrors })
  const said = (key: string, error: string) =>
    lastErrors.record({ level: 'error', entry: { message: 'reconciling failed', fields: { key, error } } })
  said('default/other', 'no disk')
  said('default/daily', 'no bucket')
  said('default/daily', 'no licence.\n  at backup.ts:3')
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    message: /within 20 s: no licence; see the program's whole log with --verbose$/,
  })
  // An error that is not a text is logged with its stack.
  const error = { type: 'Error', message: 'no backup', stack: 'Error: no backup\n  at backup.ts:3' }
  lastErrors.record({ level: 'error', entry: { message: 'failed', fields: { key: 'default/daily', error } } })
  t.equal(lastErrors.firstOf(['default/daily']), 'no backup')
  const message = 'values do not fit:\nweb:\n- at /replicas: got string'
  lastErrors.record({ level: 'warn', entry: { message, fields: { key: 'default/daily' } } })
  t.equal(
    lastErrors.firstOf(['default/x', 'default/daily']),
    'values do not fit: web: at /replicas: got string',
  )
  said(
    'default/daily',
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  )
  t.equal(
    lastErrors.firstOf(['default/daily']),
    'the API server refuses the ConfigMap: data must be a string, got a number; correct it in the program',
  )
  lastErrors.clear()
  await t.rejects(shown.untilHandled(['main Backup default/daily'], 1), {
    message: /20 s; see the program's log/,
  })
})

void t.test('without an error in the log, the error has the state of the object', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  await serveDefinitions(client, definitions)
  const states: string[] = []
  const objectChanged = (_name: string, _verb: string, state: string) => void states.push(state)
  const shown = new ShownObjects({ objectChanged, lastErrors: new LastErrors() })
  t.teardown(() => shown.close())
  const kinds = [{ cluster: 'main', resource: modules }]
  const description = { kinds, controllers: [], clusters: ['main'] } as never
  await shown.show({ name: 'main', transport } as never, description)
  const { metadata } = await client.create(modules, moduleOf())
  const condition = {
    type: 'Ready',
    status: 'False',
    reason: 'WorkspaceNotReady',
    message: 'Workspace default/dve does not exist; create it',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  }
  const body = { status: { phase: 'installing', conditions: [condition] } }
  await client.patch(
    modules,
    { namespace: 'default', name: metadata.name ?? '' },
    { type: 'merge', body, subresource: 'status' },
  )
  await until(() => states.some((state) => state.includes('dve')))
  await t.rejects(shown.untilHandled([`main Module default/${metadata.name}`], 1), {
    code: 'NOT_READY',
    message:
      /within 20 s; its state is: installing {2}Ready=False WorkspaceNotReady: Workspace default\/dve does not exist; create it; see the program's log with --verbose; if it only needs more time, /,
  })
})
