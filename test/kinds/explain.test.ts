// `kubectl explain` prints the descriptions of zod schemas, as an embedded and a real API server serve them.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { crdOf, defineKind, k } from '../../sdk/operator/index.js'
import { createApiServer } from '../../testing/index.js'
import { kubectl as command } from '../clients/kubectl/command.js'
import { missingKubectl, runKubectl } from '../clients/kubectl/run-kubectl.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'

t.setTimeout(300_000)
t.comment('timeout=300000')

const volume = z.object({ size: k.quantity().describe('The room of one volume.') })
const disks = defineKind({
  group: 'explain.example.com',
  version: 'v1',
  kind: 'Disk',
  description: 'A Disk is a set of volumes.',
  spec: z
    .object({
      region: z.string().describe('Described before it is optional.').optional(),
      zone: z.string().optional().describe('Described after it is optional.'),
      speed: z.int().default(3).meta({ description: 'Described by meta.', title: 'unused' }),
      volumes: z.array(volume.describe('One of the volumes.')).describe('All the volumes.'),
      tiers: k
        .listMap(z.object({ name: z.string().describe('The key.') }), ['name'])
        .describe('A list by name.'),
      labels: z.record(z.string(), z.string()).optional().describe('Any labels.'),
      store: k
        .oneOf({ memory: z.object({}).describe('In memory.'), file: z.object({}) })
        .describe('One of the stores.'),
      port: k.rule(k.intOrString().describe('A number or a name.'), `self != ''`, { unchecked: 'a test' }),
    })
    .describe('What users want.'),
  status: z.object({ used: z.int().optional().describe('The volumes in use.') }),
  fields: z.object({ note: z.string().optional().describe('A member next to spec.') }),
  versions: {
    v1beta1: {
      spec: z.object({ place: z.string().describe('The region of before.') }),
      toHub: ({ place }) => ({ region: place, volumes: [], tiers: [], store: { memory: {} }, port: 1 }),
      fromHub: ({ region = '' }) => ({ place: region }),
    },
  },
})

const described: readonly (readonly [path: string, texts: readonly string[]])[] = [
  ['disks', ['A Disk is a set of volumes.', 'What users want.', 'A member next to spec.']],
  [
    'disks.spec',
    [
      'Described before it is optional.',
      'Described after it is optional.',
      'Described by meta.',
      'All the volumes.',
      'A list by name.',
      'Any labels.',
      'One of the stores.',
      'A number or a name.',
    ],
  ],
  ['disks.spec.volumes', ['All the volumes.', 'One of the volumes.', 'The room of one volume.']],
  ['disks.spec.tiers', ['A list by name.', 'The key.']],
  ['disks.spec.store', ['One of the stores.', 'In memory.']],
  ['disks.status', ['The volumes in use.']],
  ['disks.spec --api-version explain.example.com/v1beta1', ['The region of before.']],
]

async function explain(t: Test, kubeconfig: string): Promise<void> {
  const file = join(t.testdir({}), 'kubeconfig')
  await writeFile(file, kubeconfig)
  const options = { kubeconfig: file, namespace: 'default', home: t.testdirName }
  const run = async (line: string, input?: string) => {
    const [result] = await runKubectl(command(line, { ...(input !== undefined && { input }) }), options)
    return result
  }
  const applied = await run('apply -f -', JSON.stringify(crdOf(disks)))
  t.equal(applied?.code, 0, applied?.stderr ?? '')
  await until(async () => (await run('explain disks.spec'))?.code === 0)
  for (const [path, texts] of described) {
    const told = await run(`explain ${path}`)
    for (const text of texts) t.match(told?.stdout.replaceAll(/\s+/g, ' '), text, `${path}: ${text}`)
  }
}

const missing = missingKubectl || missingAssets()

void t.test('the embedded API server explains what zod describes', { skip: missingKubectl }, async (t) => {
  const server = await createApiServer({ controllers: false, authorization: 'rbac' })
  t.teardown(() => server.close())
  await server.listen()
  await explain(t, await server.kubeconfig())
})

void t.test('a real API server explains what zod describes', { skip: missing }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  await explain(t, real.kubeconfig)
})
