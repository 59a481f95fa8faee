// Tests that a real host that rejects the objects of one tenant, with messages that the tenant chose, does
// not delay the writes of others.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import type { Client } from '../sdk/engine/client/client.js'
import { configMaps, namespaces, type Pod, pods } from '../sdk/engine/kube/builtin.js'
import { ApiError } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import type { SyncContext } from '../sdk/vcluster/context/sync-context.js'
import { hostName } from '../sdk/vcluster/naming/names.js'
import { mirrorDown } from '../sdk/vcluster/syncer/translator/mirror.js'
import { NamespacedTranslator } from '../sdk/vcluster/syncer/translator/namespaced-translator.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import type { Register } from '../testing/plugin/test-plugin.js'
import {
  type AttackEnvironment,
  type AttackedVCluster,
  found,
  openVCluster,
} from './attacks/attacked-vcluster.js'
import { writePki } from './real/pki.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

/** Copies the relevant parts of pods; later changes are not copied. */
class PodSyncer extends NamespacedTranslator<Pod> {
  override transform(virtual: Pod): Pod {
    const { containers = [], securityContext } = virtual.spec ?? {}
    return { ...virtual, spec: { containers, ...(securityContext && { securityContext }) } }
  }

  override syncDown(ctx: SyncContext, virtual: Pod) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override async sync() {}
}

const register: Register = (plugin, ctx) => {
  plugin.register(new PodSyncer(ctx, 'pod', pods))
  plugin.register(mirrorDown(ctx, configMaps))
}

interface Loose extends KubeObject {
  spec?: object
  status?: object
}

const loose = (group: string, kind: string, plural: string, namespaced: boolean): Resource<Loose> => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
})
const quotas = loose('', 'ResourceQuota', 'resourcequotas', true)
const webhooks: Resource<KubeObject & { webhooks?: object[] }> = {
  ...loose(
    'admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    false,
  ),
}

/** A webhook of the host rejects each pod with the label `refused`, with the status code in its value. */
async function refuseByWebhook(t: Test, { host, target }: AttackedVCluster): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writePki(folder)
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'server.crt', 'server.key'].map((file) => readFile(join(folder, file), 'utf8')),
  )
  const server = createServer({ cert, key }, (request, response) => void answerReview(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const name = `${target}.example.com`
  await host.create(webhooks, {
    metadata: { name },
    webhooks: [
      {
        name,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: {
          url: `https://127.0.0.1:${port}/`,
          caBundle: Buffer.from(ca ?? '').toString('base64'),
        },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': target } },
        objectSelector: { matchExpressions: [{ key: 'refused', operator: 'Exists' }] },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  })
  t.teardown(() => host.delete(webhooks, { namespace: '', name }))
  const probe = { metadata: { namespace: target, name: 'probe', labels: { refused: '418' } }, spec } as Pod
  await until(async () => {
    const answer = await host.create(pods, probe, { dryRun: true }).catch((error: unknown) => error)
    return answer instanceof ApiError && answer.code === 418
  })
}

async function answerReview(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = []
  for await (const chunk of request) body.push(chunk)
  const { request: review } = JSON.parse(Buffer.concat(body).toString())
  const code = Number(review.object.metadata.labels.refused)
  const answer = { uid: review.uid, allowed: false, status: { code, message: 'exceeded quota: nothing' } }
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
  )
}

/** An embedded virtual cluster and a real host. */
async function realHost(): Promise<AttackEnvironment> {
  const virtual = await createApiServer({ name: 'virtual' })
  const host = await startRealCluster()
  return {
    name: 'real',
    connect: async () => ({
      virtual: inProcessTransport(virtual),
      host: createTransport({ kubeconfig: await loadKubeconfig({ text: host.kubeconfig }) }),
    }),
    fillQuota: () => Promise.reject(new Error('these tests create their own quotas')),
    close: async () => {
      await virtual.close()
      await host.stop()
    },
  }
}

const merge = (body: object) => ({ type: 'merge', body }) as const
const spec = { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'web' }] }
const limit = { timeout: 600_000 }
const heldBack = 'refuses all writes of this sort'

const createPod = (
  vcluster: AttackedVCluster,
  namespace: string,
  name: string,
  more: object = {},
  labels = {},
) =>
  vcluster.virtual.create<Pod>(pods, {
    metadata: { namespace, name, labels },
    spec: { ...spec, ...more },
  } as Pod)

/** Edits all of them ten times per second until it is stopped. */
function editing(virtual: Client, namespace: string, names: readonly string[]) {
  let round = 0
  const edit = (name: string) =>
    virtual.patch(pods, { namespace, name }, merge({ metadata: { annotations: { edit: `${round}` } } }))
  const rounds: Promise<unknown>[] = []
  const timer = setInterval(() => {
    round++
    rounds.push(Promise.all(names.map(edit)))
  }, 100)
  return async () => {
    clearInterval(timer)
    await Promise.all(rounds)
  }
}

/**
 * Creates pods in another namespace one after the other. Returns the time until each is copied, in
 * milliseconds.
 */
async function copyTimes(vcluster: AttackedVCluster, namespace: string, count: number): Promise<number[]> {
  const times: number[] = []
  await vcluster.virtual.create(namespaces, { metadata: { name: namespace } })
  for (let i = 0; i < count; i++) {
    const startMs = performance.now()
    await createPod(vcluster, namespace, `pod-${i}`)
    const key = { namespace: vcluster.target, name: hostName(`pod-${i}`, namespace, 'vc') }
    await until(async () => (await found(vcluster.host, key, pods)) !== undefined)
    times.push(Math.round(performance.now() - startMs))
  }
  return times
}

/** The host rejects five pods that are edited all the time, while pods of another namespace are copied. */
async function othersDoNotWait(
  t: Test,
  vcluster: AttackedVCluster,
  refused: { spec?: object; labels?: object },
) {
  const names = Array.from({ length: 5 }, (_, i) => `refused-${i}`)
  for (const name of names) await createPod(vcluster, vcluster.home, name, refused.spec, refused.labels)
  await until(async () =>
    (await vcluster.events()).some((text) => /is forbidden: |admission webhook/.test(text)),
  )
  const stop = editing(vcluster.virtual, vcluster.home, names)
  const times = await copyTimes(vcluster, `quiet-of-${vcluster.home}`, 5)
  await stop()
  t.comment(`pods of another namespace took ${times.join(', ')} ms`)
  t.notMatch(await vcluster.said(), heldBack, 'no write was delayed')
}

/** Makes Pod Security reject pods that the baseline does not allow in the host namespace of the copies. */
async function enforceBaseline({ host, target }: AttackedVCluster): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' }
  await host.patch(namespaces, { namespace: '', name: target }, merge({ metadata: { labels } }))
}

void t.test(
  'a rejection with a tenant’s text delays only that tenant',
  { skip: missingAssets(), timeout: 600_000 },
  async (t) => {
    const environment = await realHost()
    t.teardown(() => environment.close())
    const open = (t: Test) => openVCluster(t, { environment, register, leftovers: [configMaps, pods] })

    await t.test('Pod Security quotes a field that reads like an exceeded quota', limit, async (t) => {
      const vcluster = await open(t)
      await enforceBaseline(vcluster)
      const type = 'exceeded quota: nothing'
      await othersDoNotWait(t, vcluster, { spec: { securityContext: { seLinuxOptions: { type } } } })
      t.match((await vcluster.events()).join('\n'), /violates PodSecurity .*exceeded quota: nothing/)
    })

    await t.test('Pod Security quotes a field that reads like a missing permission', limit, async (t) => {
      const vcluster = await open(t)
      await enforceBaseline(vcluster)
      const type = 'User "x" cannot create resource "pods" in API group ""'
      await othersDoNotWait(t, vcluster, { spec: { securityContext: { seLinuxOptions: { type } } } })
    })

    for (const code of [401, 403, 429]) {
      await t.test(`an admission webhook answers ${code} and quotes the object`, limit, async (t) => {
        const vcluster = await open(t)
        await refuseByWebhook(t, vcluster)
        const labels = { refused: `${code}` }
        await othersDoNotWait(t, vcluster, { labels })
        t.match((await vcluster.events()).join('\n'), /admission webhook .*exceeded quota: nothing/)
      })
    }

    await t.test(
      'an exhausted quota delays its namespace, and all namespaces when another one is rejected',
      limit,
      async (t) => {
        const vcluster = await open(t)
        const key = { namespace: vcluster.target, name: 'full' }
        const hard = { 'count/configmaps': '0' }
        await vcluster.settled()
        await vcluster.host.create(quotas, { metadata: key, spec: { hard } })
        // No controller runs here that would set the used amount.
        await vcluster.host.patch(quotas, key, {
          ...merge({ status: { hard, used: { 'count/configmaps': '0' } } }),
          subresource: 'status',
        })
        for (const name of ['one', 'two'])
          await vcluster.virtual.create(configMaps, { metadata: { namespace: vcluster.home, name } })
        await until(async () => (await vcluster.said()).includes(heldBack))
        const other = `other-of-${vcluster.home}`
        await vcluster.virtual.create(namespaces, { metadata: { name: other } })
        await vcluster.virtual.create(configMaps, { metadata: { namespace: other, name: 'three' } })
        const collection = `/api/v1/namespaces/${vcluster.target}/configmaps`
        await until(async () => (await vcluster.said()).includes(`"writes":"quota ${collection}"`))
        await vcluster.host.delete(quotas, key)
        const copies = [
          ['one', vcluster.home],
          ['two', vcluster.home],
          ['three', other],
        ] as const
        for (const [name, namespace] of copies) {
          const copy = { namespace: vcluster.target, name: hostName(name, namespace, 'vc') }
          await until(async () => (await found(vcluster.host, copy)) !== undefined)
        }
        t.match(await vcluster.said(), 'the cluster accepts writes of this sort again')
      },
    )
  },
)
