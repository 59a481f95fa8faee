// `vcluster-plugin rbac --record`: what an operator requests beyond its declarations.
import t from 'tap'
import { run } from '../../test/run-program.js'
import { spreadOperator } from '../../test/spread-operator.js'
import { isWholeRun } from '../../test/whole-run.js'
import { type RecordedRequest, undeclaredPermissions } from './recorded-permissions.js'

const request = (text: string): RecordedRequest => {
  const [verb = '', resource = '', namespace = '', name = ''] = text.split(' ')
  return { verb, group: '', resource, subresource: '', namespace: namespace.replace('-', ''), name }
}
const samples = [{ namespace: 'shop', name: 'daily' }]
const declared = [
  { side: 'host' as const, group: '', resource: 'pods', verbs: ['get', 'list'], namespace: '', neededBy: [] },
  {
    side: 'host' as const,
    group: '',
    resource: 'secrets',
    verbs: ['get'],
    namespace: 'system',
    names: ['ca'],
    neededBy: [],
  },
]
const found = (...texts: string[]) =>
  undeclaredPermissions(texts.map(request), declared, samples).map(({ resource, verbs, namespace, names }) =>
    [resource, verbs.join(), namespace, names?.join() ?? ''].join(' '),
  )

void t.test('declared permissions cover requests by verb, namespace and name', async (t) => {
  t.strictSame(found('get pods shop a', 'list pods -', 'get secrets system ca'), [])
  t.strictSame(found('delete pods shop daily-0'), ['pods delete  '])
  t.strictSame(found('get secrets system other'), ['secrets get system other'])
  t.strictSame(found('list secrets system'), ['secrets list system '])
  t.strictSame(found('get secrets elsewhere ca'), ['secrets get elsewhere ca'])
})

void t.test('only namespaces and names that no sample has are taken over', async (t) => {
  t.strictSame(found('get configmaps shop daily-config', 'patch configmaps shop daily-config'), [
    'configmaps get,patch  ',
  ])
  t.strictSame(found('get configmaps system cluster-info'), ['configmaps get system cluster-info'])
  t.strictSame(found('create configmaps system'), ['configmaps create system '], 'create has no name')
})

const program = `
import { configMaps, secrets } from 'vcluster-plugin-sdk'
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const shops = defineKind({
  group: 'my.domain', version: 'v1', kind: 'Shop', spec: z.object({}), conditions: ['Ready'],
})
const operator = createOperator({ name: 'shops' })
operator.register(
  controller(shops, {
    async reconcile(ctx, shop) {
      await ctx.client.get(secrets, { namespace: 'kube-system', name: 'prices' }).catch(() => {})
      const metadata = { namespace: shop.metadata.namespace, name: shop.metadata.name + '-log' }
      await ctx.apply(configMaps, { metadata, data: { seen: 'true' } }, { shared: true })
      ctx.condition('Ready', true, 'Open')
    },
  }),
)
await operator.start()
`
const sample =
  'apiVersion: my.domain/v1\nkind: Shop\nmetadata: { name: corner, namespace: default }\nspec: {}\n'

// A recorded run mostly waits, to see what the program does by itself.
t.jobs = 3

void t.test('a recorded run finds what the controller does not declare', async (t) => {
  const folder = t.testdir({ 'main.ts': program, 'samples.yaml': sample })
  const table = await run(folder, [
    process.execPath,
    `${process.cwd()}/bin/vcluster-plugin.js`,
    'rbac',
    '.',
    '--record',
    '-o',
    'table',
  ])
  const rows = table
    .split('\n')
    .filter((line) => line.endsWith('a recorded request'))
    .map((line) => line.split(/ {2,}/).slice(0, 3).join(' | '))
  t.strictSame(rows.sort(), ['(all) | configmaps | list,patch,watch', 'kube-system | secrets prices | get'])
})

void t.test('a recorded run finds what the controller does not declare in another cluster', async (t) => {
  const at = "{ namespace: 'kube-system', name: 'prices' }"
  const folder = t.testdir(
    spreadOperator(`await ctx.cluster('edge').client.get(secrets, ${at}).catch(() => {})`),
  )
  const recorded = async (cluster: string) => {
    const command = [`${process.cwd()}/bin/vcluster-plugin.js`, 'rbac', '.', '--record', '--cluster', cluster]
    const table = await run(folder, [process.execPath, ...command, '-o', 'table'])
    return table.split('\n').filter((line) => line.endsWith('a recorded request'))
  }
  t.match(await recorded('edge'), [/^kube-system +secrets prices +get /])
  await t.rejects(recorded('moon'), /has no cluster moon; it has main, edge/)
})

void t.test('a recorded run of the examples finds nothing that they do not declare', async (t) => {
  const recorded = async (name: string) => {
    const command = ['bin/vcluster-plugin.js', 'rbac', `examples/${name}`, '--record', '-o', 'table']
    const table = await run(process.cwd(), [process.execPath, ...command])
    t.match(table, /patch/, name)
    t.notMatch(table, 'a recorded request', name)
  }
  // At each change the first: it owns objects, and has samples.
  await Promise.all((isWholeRun ? ['memcached', 'bucket', 'modules'] : ['memcached']).map(recorded))
})

void t.test('--record is for operators', async (t) => {
  const command = ['bin/vcluster-plugin.js', 'rbac', 'examples/sync-all-configmaps', '--record']
  await t.rejects(run(process.cwd(), [process.execPath, ...command]), /--record is for operators/)
})
