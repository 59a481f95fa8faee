// What `why` and the inspector tell about Modules and Workspaces.
import t from 'tap'
import { explanationLines } from '../../cli/why/explanation-lines.js'
import type { ControllerExplanation } from '../engine/inspector/controller-explanation.js'
import { PermanentError } from '../engine/kube/error.js'
import { servedOperator } from '../operator/inspected-operator.fixture.js'
import { modules } from './kinds/module-kind.js'
import { workspaces } from './kinds/workspace-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
  shop,
} from './module/modules.fixture.js'
import { moduleFacts } from './module/record/module-facts.js'
import { workspaceFacts } from './workspace/workspace-facts.js'

const rowsOf = (told: ControllerExplanation | undefined) =>
  Object.fromEntries(told?.facts.map(({ name, texts }) => [name, texts.join(' | ')]) ?? [])

void t.test('Modules and Workspaces are explained', async (t) => {
  const noting = new NotingProgram()
  noting.behaviour.sleep = () => {
    throw new PermanentError('the application has open orders')
  }
  const { client, settled, why } = await servedOperator(t, registering(noting), definitions)
  await client.create(modules, moduleOf())
  await settled()
  const [waiting] = await why('kind=module&name=shop')
  t.match(waiting, {
    state: 'pending',
    summary: /^Module default\/shop waits: .*Workspace default\/dev/,
    facts: [
      { name: 'phase', texts: [/^installing since \d{4}-/] },
      {},
      { name: 'operation', texts: ['none'] },
    ],
  })

  await createWorkspace(client)
  await settled()
  const [ready] = await why('kind=module&name=shop')
  t.match(ready, { program: 'operator', state: 'in sync', summary: 'Module default/shop is reconciled.' })
  t.match(rowsOf(ready), {
    phase: /^ready since /,
    workspace: 'default/dev',
    operation: 'none',
    program: 'noting 1.0.0 | part of the operator',
  })

  await client.patch(
    workspaces,
    { ...shop, name: 'dev' },
    { type: 'merge', body: { spec: { hibernated: true } } },
  )
  await settled()
  const [failed] = await why('kind=module&name=shop')
  t.match(failed, {
    state: 'pending',
    summary: /waits: sleep failed once; the next try is at a change of the spec/,
  })
  t.match(rowsOf(failed), {
    phase: /^failed since /,
    operation: /^sleep, attempt 1, begun at \S+, id \S+$/,
    'next try': /^at a change of the spec, of a ConfigMap that it names or of forkspacer\.com\/retry$/,
    'last error': 'SleepError: the application has open orders',
  })
  const [workspace] = await why('kind=workspace&name=dev')
  t.match(workspace, {
    state: 'pending',
    summary: /^Workspace default\/dev waits: failed: the Modules default\/shop/,
    waitsFor: [/^failed: the Modules default\/shop\.$/, /^the Modules default\/shop are not asleep\.$/],
  })
  t.match(rowsOf(workspace), {
    phase: /^ready/,
    modules: '1: 0 ready, 0 asleep, 1 failed | default/shop: failed',
    schedule: 'none',
  })
})

void t.test('a Module that keeps failing is explained in a few lines, with its error once', async (t) => {
  const noting = new NotingProgram()
  const error = `the database does not answer: ${'connection refused by 10.0.0.7:5432 '.repeat(10).trim()}`
  noting.behaviour.install = () => {
    throw new Error(error)
  }
  const { client, settled, why } = await servedOperator(t, registering(noting), definitions)
  await createWorkspace(client)
  await client.create(modules, moduleOf())
  // An annotation begins the next attempt at once.
  for (let attempt = 1; attempt <= 12; attempt++) {
    await settled()
    const body = { metadata: { annotations: { 'forkspacer.com/retry': String(attempt) } } }
    await client.patch(modules, shop, { type: 'merge', body })
  }
  await settled()
  const [told] = await why('kind=module&name=shop')
  const lines = told ? explanationLines(told, { styled: (_style, text) => text }) : []
  const text = lines.join('\n')
  t.match(
    lines[0],
    /^pending {2}Module default\/shop waits: install failed 1\d times; the next try is at \S+Z\.$/,
  )
  t.equal(text.split(error).length, 2, 'the error is there once')
  t.match(text, /^conditions {2}Ready=False InstallError: as above$/m)
  t.match(text, /^events .* Warning InstallError .*: as above$/m)
  t.match(text, /\d+ times the following \d+ entries, the last time:$/m)
  t.ok(lines.length < 45, `${lines.length} lines:\n${text}`)
})

void t.test('the permissions of a loaded program are among the facts', (t) => {
  const told = (program: object) => {
    const status = { program: { name: 'web', digest: 'sha256-x', ...program } }
    const { rows } = moduleFacts({ ...moduleOf(), status } as never)
    return rows.find(({ name }) => name === 'permissions')?.texts
  }
  const permissions = [
    { group: 'apps', resource: 'deployments', verbs: ['create', 'patch'], namespace: 'shop' },
    { group: '', resource: 'configmaps', verbs: ['*'] },
  ]
  const texts = ['create, patch deployments.apps in namespace shop', '* configmaps']
  t.strictSame(told({ permissions }), texts)
  t.strictSame(told({ permissions, permissionsLeftOut: 3 }), [...texts, 'and 3 more rules'])
  t.strictSame(told({ permissions: [] }), ['none'])
  t.strictSame(told({}), ['those of the operator: the program has no rules'])
  t.equal(told({ digest: undefined }), undefined, 'a program of the operator itself has none')
  t.end()
})

void t.test('a Workspace tells when it sleeps and wakes next', (t) => {
  const now = new Date('2026-03-27T18:30:00Z')
  const told = (autoHibernation: object) =>
    Object.fromEntries(
      workspaceFacts({ metadata: {}, spec: { autoHibernation }, status: {} } as never, {
        modules: [],
        now,
      }).rows.map(({ name, texts }) => [name, texts]),
    )
  const times = {
    enabled: true,
    schedule: '0 20 * * *',
    wakeSchedule: '0 7 * * mon-fri',
    timeZone: 'Europe/Berlin',
  }
  t.match(told(times), {
    schedule: ['sleeps at "0 20 * * *", wakes at "0 7 * * mon-fri", in the time zone Europe/Berlin'],
    due: ['sleeps at 2026-03-27T19:00:00.000Z', 'wakes at 2026-03-30T05:00:00.000Z'],
  })
  t.match(told({ enabled: true, schedule: '0 0 30 2 *' }), { due: [/^the schedule cannot be read: .*30 2/] })
  t.strictSame(told({ enabled: false, schedule: '0 20 * * *' }).schedule, ['none'])
  t.end()
})
