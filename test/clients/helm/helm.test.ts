// Tests Helm 3 and Helm 4 with the embedded server and a real one, from the installation of a release to its
// removal.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiException, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../testing/index.js'
import { missingPrograms, neverCollects, programs } from '../../helm/charts.js'
import { missingAssets, startRealCluster } from '../../real/real-cluster.js'
import { writeChart } from './chart.js'

t.setTimeout(400_000)

/** A namespace of a server, with a function to run Helm there. */
interface HelmEnvironment {
  readonly namespace: string
  readonly config: KubeConfig
  readonly chart: string
  /** Runs one command. Rejects with its output unless its status is 0. */
  helm(...args: readonly string[]): Promise<string>
}

async function environmentOn(t: Test, program: string, kubeconfig: string): Promise<HelmEnvironment> {
  const folder = t.testdir({ kubeconfig })
  const home = join(folder, 'home')
  await mkdir(home)
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  const namespace = `helm-${programs.indexOf(program)}`
  const env = {
    ...neverCollects,
    HOME: home,
    KUBECONFIG: join(folder, 'kubeconfig'),
    HELM_NAMESPACE: namespace,
  }
  const helm = async (...args: readonly string[]) =>
    (await promisify(execFile)(program, [...args], { env })).stdout
  await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } })
  return { namespace, config, chart: await writeChart(folder), helm }
}

/**
 * The texts in the release's objects, one for each way by which Helm changes them; `undefined` for a missing
 * object.
 */
async function textsOf({ namespace, config }: HelmEnvironment, name: string): Promise<object> {
  const core = config.makeApiClient(CoreV1Api)
  const custom = config.makeApiClient(CustomObjectsApi)
  const greeting = { group: 'helm.example.com', version: 'v1', plural: 'greetings', namespace, name }
  return {
    configMap: await unlessGone(
      async () => (await core.readNamespacedConfigMap({ namespace, name })).data?.text,
    ),
    service: await unlessGone(
      async () => (await core.readNamespacedService({ namespace, name })).spec?.ports?.length,
    ),
    greeting: await unlessGone(async () => {
      const { spec } = (await custom.getNamespacedCustomObject(greeting)) as { spec: { text: string } }
      return spec.text
    }),
  }
}

async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined
    throw error
  }
}

/** The releases in Helm's own records, with the status of each revision. */
async function statesOf({ helm }: HelmEnvironment, name: string): Promise<string[]> {
  const history = JSON.parse(await helm('history', name, '--output', 'json')) as {
    revision: number
    status: string
  }[]
  return history.map(({ revision, status }) => `${revision} ${status}`)
}

async function live(t: Test, environment: HelmEnvironment): Promise<void> {
  const { helm, chart, namespace, config } = environment
  await helm('install', 'hello', chart)
  t.strictSame(
    await textsOf(environment, 'hello'),
    { configMap: 'one', service: 1, greeting: 'one' },
    'install',
  )
  await helm('upgrade', 'hello', chart, '--set', 'text=two')
  t.strictSame(
    await textsOf(environment, 'hello'),
    { configMap: 'two', service: 1, greeting: 'two' },
    'upgrade',
  )
  await helm('rollback', 'hello', '1')
  t.strictSame(
    await textsOf(environment, 'hello'),
    { configMap: 'one', service: 1, greeting: 'one' },
    'rollback',
  )
  t.strictSame(await statesOf(environment, 'hello'), ['1 superseded', '2 superseded', '3 deployed'])
  await helm('uninstall', 'hello')
  const nothing = { configMap: undefined, service: undefined, greeting: undefined }
  t.strictSame(await textsOf(environment, 'hello'), nothing, 'uninstall')
  const { items } = await config.makeApiClient(CoreV1Api).listNamespacedSecret({ namespace })
  t.strictSame(
    items.filter(({ type }) => type === 'helm.sh/release.v1'),
    [],
    'its records are deleted as well',
  )
}

for (const [at, program] of (missingPrograms ? ['helm'] : programs).entries()) {
  void t.test(`the life of a release of Helm ${at + 3}`, { skip: missingPrograms }, async (t) => {
    const server = await createApiServer({ authorization: 'rbac' })
    t.teardown(() => server.close())
    await server.listen()
    await live(t, await environmentOn(t, program, await server.kubeconfig()))
  })
}

void t.test('the same on a real server', { skip: missingPrograms || missingAssets() }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  for (const [at, program] of programs.entries()) {
    await t.test(`Helm ${at + 3}`, async (t) => live(t, await environmentOn(t, program, real.kubeconfig)))
  }
})
