import type { Case, CaseGroup } from './case.js'
import { openCaseClient } from './case-client.js'
import type { ClusterUnderTest } from './cluster-under-test.js'

/** The result of one case. */
export interface CaseResult {
  readonly group: string
  readonly case: Case
  /** The error of a failed case; `undefined` if it passed. */
  readonly error?: unknown
  /** Set if the cluster lacks a component that the case needs. */
  readonly skipped?: string
}

interface Assigned {
  readonly group: string
  readonly case: Case
  readonly namespace: string
}

/** Number of cases at a time: enough to hide their waits. */
const concurrency = 8
/**
 * Time limit of a case, in milliseconds; a real cluster takes five seconds to delete a namespace, and its controllers
 * wait for processors that other tests use.
 */
const patienceMs = 180_000

/** Runs each case in its own namespace and returns the results, in the order of the groups. */
export async function runCases(
  cluster: ClusterUnderTest,
  groups: readonly CaseGroup[],
): Promise<CaseResult[]> {
  const run = Date.now().toString(36)
  const assigned = groups.flatMap(({ name, cases }) =>
    cases.map((one, at) => ({ group: name, case: one, namespace: `${name}-${at}-${run}` })),
  )
  await inParallel(assigned, ({ namespace }) => makeNamespace(cluster, namespace))
  return inParallel(assigned, (one) => runCase(cluster, one))
}

async function runCase(
  cluster: ClusterUnderTest,
  { group, case: one, namespace }: Assigned,
): Promise<CaseResult> {
  if (one.needs === 'controller-manager' && !cluster.hasControllerManager) {
    return { group, case: one, skipped: 'kube-controller-manager is not available' }
  }
  const { client, end } = openCaseClient(cluster, namespace)
  try {
    if (cluster.hasControllerManager) await isSetUp(client)
    await inTime(one.run(client))
    return { group, case: one }
  } catch (error) {
    return { group, case: one, error }
  } finally {
    end()
  }
}

/** A case that never ends, for example because a watch was opened by mistake, fails like any other. */
async function inTime(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the case did not end within ${patienceMs / 1000} s`)
    timer = setTimeout(() => reject(error), patienceMs)
  })
  try {
    await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for what the controller manager makes in each namespace: without its service account a pod is rejected, and a
 * late ConfigMap would be one more call of a webhook.
 */
async function isSetUp({ get, until }: ReturnType<typeof openCaseClient>['client']): Promise<void> {
  for (const made of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
    await until(`the namespace has ${made}`, async () => {
      const { status } = await get(made)
      return status === 200
    })
  }
}

async function makeNamespace(cluster: ClusterUnderTest, name: string): Promise<void> {
  const { status, text } = await cluster.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  })
  if (status !== 201) throw new Error(`cannot create the namespace ${name}: ${text}`)
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [at, item] of rest) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
