// A kubelet for the Pods that copy volumes: it plays what their program does, with a text for the files of a volume.
import { createHash } from 'node:crypto'
import type { Client } from '../../engine/client/client.js'
import { type Pod, pods, secrets } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'
import { migration } from './fork-data.fixture.js'

/** The data of a Module with a volume. */
export const volumeMigration = {
  ...migration,
  pvc: { enabled: true, names: ['data-{{ .releaseName }}-0'] },
}

let addresses = 0
let contents = new Map<string, string>()
/** The files of a volume. */
export const contentOf = (claim: string): string => contents.get(claim) ?? `files of ${claim}`

/** Plays a kubelet. */
export interface Kubelet {
  /** Runs all Pods once. */
  play(clusters: { readonly client: Client }): Promise<void>
  /** Forgets all volumes. */
  reset(): void
  /** Replaces the reports of the Pods at the target. */
  report?: ((text: string) => string) | undefined
  /** Whether the Pod at the source becomes ready. */
  isServing: boolean
  /** Pods that do not run yet. */
  skips?: ((pod: Pod) => boolean | undefined) | undefined
  /** Writes into a volume. */
  change(claim: string, files: string): void
}

const labelSelector = 'forkspacer.com/fork'

/** The Pods and the Secrets of forks. */
export async function forkPods(client: Client): Promise<string[]> {
  const all = [
    ...(await client.list(pods, { labelSelector })).items,
    ...(await client.list(secrets, { labelSelector })).items,
  ]
  return all.map(({ metadata }) => metadata.name ?? '')
}

/** Makes a kubelet. */
export function kubelet(): Kubelet {
  const self: Kubelet = {
    isServing: true,
    reset: () => {
      contents = new Map()
    },
    change: (claim, files) => contents.set(claim, files),
    play: async ({ client }) => {
      const all = (await client.list(pods, { labelSelector })).items
      const items = all.filter((pod) => !self.skips?.(pod))
      for (const pod of items) if (roleOf(pod) === 'serve' && self.isServing) await serve(client, pod)
      for (const pod of items)
        if (roleOf(pod) === 'fetch') await fetchFiles(client, { pod, items, report: self.report })
    },
  }
  return self
}

const envOf = (pod: Pod, name: string) =>
  pod.spec?.containers[0]?.env?.find((one) => one.name === name)?.value ?? ''
const roleOf = (pod: Pod) => envOf(pod, 'COPY_ROLE')
const claimOf = (pod: Pod) => pod.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName ?? ''
const setStatus = (client: Client, pod: Pod, status: object) =>
  client.patch(pods, keyOf(pod), { type: 'merge', body: { status }, subresource: 'status' })

async function serve(client: Client, pod: Pod): Promise<void> {
  if (pod.status?.podIP) return
  const podIP = `10.0.0.${++addresses}`
  const conditions = [{ type: 'Ready', status: 'True' }]
  await setStatus(client, pod, {
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions,
  })
}

async function fetchFiles(
  client: Client,
  { pod, items, report = (text) => text }: { pod: Pod; items: readonly Pod[]; report?: Kubelet['report'] },
): Promise<void> {
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return
  const server = items.find((one) => one.status?.podIP === envOf(pod, 'COPY_HOST'))
  if (!server) throw new Error('the Pod at the source does not run')
  const files = contentOf(claimOf(server))
  contents.set(claimOf(pod), files)
  const sum = { bytes: files.length, sha256: createHash('sha256').update(files).digest('hex') }
  const text = JSON.stringify(sum)
  await end(client, server, text)
  await end(client, pod, report(text))
}

function end(client: Client, pod: Pod, message: string) {
  const exitCode = message.includes('error') ? 1 : 0
  const terminated = { exitCode, message }
  const containerStatuses = [
    { name: 'copy', image: 'operator:1', imageID: '', ready: false, restartCount: 0, state: { terminated } },
  ]
  return setStatus(client, pod, { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses })
}
