// Runs every case on the embedded server, and on a real one if available. The real one defines the correct
// behaviour.
import t, { type Test } from 'tap'
import { itemsOfPart } from '../../testing/explore/part.js'
import { dailyPart } from '../daily-part.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { groups } from './cases/index.js'
import type { ClusterUnderTest } from './cluster-under-test.js'
import { embeddedCluster, embeddedHttpsCluster } from './embedded-cluster.js'
import { httpsCluster } from './https-cluster.js'
import { type KnownDifference, knownDifferences } from './known-differences.js'
import { type CaseResult, runCases } from './run-cases.js'

/** Reports one case as tap does; `difference` is a known failure. */
function report(t: Test, result: CaseResult, difference?: KnownDifference): void {
  const title = titleOf(result)
  if (result.skipped !== undefined) t.pass(title, { skip: result.skipped })
  else if (difference === undefined) judge(t, title, result)
  else if (result.error === undefined) t.fail(`${title} passes now: remove it from known-differences.ts`)
  else t.match(String(result.error), difference.error, title)
}

const titleOf = (result: CaseResult) => `${result.group}: ${result.case.name}`

function judge(t: Test, title: string, { error, case: { source } }: CaseResult): void {
  if (error === undefined) t.pass(title)
  else t.fail(title, { source, diff: textOf(error) })
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${String(error.cause)})`
}

async function conforms(t: Test, cluster: ClusterUnderTest, chosen = groups): Promise<void> {
  t.teardown(() => cluster.close())
  const results = await runCases(cluster, chosen)
  for (const result of results) report(t, result, knownDifferences[titleOf(result)])
  const differing = results.filter((result) => titleOf(result) in knownDifferences).length
  t.pass(`${differing} cases are known to differ`, { skip: 'they are listed in known-differences.ts' })
}

void t.test('the embedded server conforms in process', async (t) => {
  await conforms(t, await embeddedCluster())
})

/** The groups that depend on the listener: bodies, headers, streams and authentication. */
const aboutTheListener = [
  'get-list',
  'watch',
  'delete-bodies',
  'media-types',
  'malformed-input',
  'identity',
  'warnings',
  'admission-webhooks',
]

void t.test('the embedded server conforms over HTTPS', async (t) => {
  const chosen = groups.filter(({ name }) => aboutTheListener.includes(name))
  await conforms(t, await embeddedHttpsCluster(), chosen)
})

void t.test('a known difference names an existing case', async (t) => {
  const titles = groups.flatMap(({ name, cases }) => cases.map((one) => `${name}: ${one.name}`))
  t.strictSame(new Set(titles).size, titles.length, 'no two cases have the same title')
  t.strictSame(
    Object.keys(knownDifferences).filter((title) => !titles.includes(title)),
    [],
  )
})

const skip = missingAssets()

void t.test('a real kube-apiserver conforms', { skip, timeout: 600_000 }, async (t) => {
  const controllerManager = missingAssets('kube-controller-manager') === false
  const real = await startRealCluster({ controllerManager })
  t.teardown(() => real.stop())
  const { kubeconfig } = real
  const cluster = await httpsCluster({ name: 'real', kubeconfig, hasControllerManager: controllerManager })
  // Both servers run all cases at night.
  const chosen = groups.map((group) => ({ ...group, cases: itemsOfPart(group.cases, dailyPart) }))
  for (const result of await runCases(cluster, chosen)) report(t, result)
  await cluster.close()
})
