import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority } from '../../apiserver/listeners/certificates.js'
import { OpenSockets } from '../../sdk/engine/certificate/open-sockets.js'
import { until } from '../until.js'
import type { CaseClient } from './case-client.js'

/** The request of an API server to an admission webhook. */
export interface AdmissionRequest {
  readonly uid: string
  readonly operation: string
  readonly name: string
  readonly object: { readonly data?: Readonly<Record<string, string>>; readonly metadata?: object } | null
  readonly oldObject: { readonly data?: Readonly<Record<string, string>> } | null
  readonly dryRun?: boolean
  readonly subResource?: string
  readonly userInfo?: { readonly username?: string }
}

/** One call of a webhook. */
export interface WebhookCall {
  readonly webhook: string
  /** The version of the review. */
  readonly apiVersion: string
  readonly request: AdmissionRequest
}

/** A webhook of a case. */
export interface Webhook {
  readonly name: string
  readonly type: 'Mutating' | 'Validating'
  /** The members of the response but for `uid`; it is allowed by default. Rejects for an answer with the status 500. */
  reply?(request: AdmissionRequest): object | Promise<object>
  /** Members of the review around the response; default those of `v1`. */
  readonly review?: object
  /** Members of its configuration. */
  readonly settings?: object
}

const ready = 'ready'

/** The patch that sets a key of a ConfigMap's data. */
export function setting(key: string, value: string): object {
  const patch = JSON.stringify([{ op: 'add', path: `/data/${key}`, value }])
  return { patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') }
}

/** Configures webhooks for the ConfigMaps of the case's namespace, and removes them after `run`. */
export async function withWebhooks(
  client: CaseClient,
  webhooks: readonly Webhook[],
  run: (calls: WebhookCall[]) => Promise<void>,
): Promise<void> {
  const types = (['Mutating', 'Validating'] as const).filter((type) =>
    webhooks.some((each) => each.type === type),
  )
  const all = [
    ...webhooks,
    ...types.map((type): Webhook => ({ name: `${ready}-${type.toLowerCase()}`, type })),
  ]
  const server = await listen(all)
  const configurations = types.map((type) => `${type.toLowerCase()}webhookconfigurations`)
  try {
    for (const [at, type] of types.entries()) {
      const own = all.filter((each) => each.type === type)
      const made = own.map((each) => configured(each, { client, url: server.url, caBundle: server.caBundle }))
      await client.make(configurations[at] ?? '', { metadata: { name: client.namespace }, webhooks: made })
    }
    await untilCalled(client, server.calls, types.length)
    server.calls.length = 0
    await run(server.calls)
  } finally {
    for (const each of configurations) await client.delete(`${each}/${client.namespace}`)
    await server.close()
  }
}

interface Configured {
  readonly client: CaseClient
  readonly url: string
  readonly caBundle: string
}

function configured({ name, settings }: Webhook, { client, url, caBundle }: Configured): object {
  const { namespace } = client
  const resource = name.startsWith(ready) ? 'secrets' : 'configmaps'
  return {
    name: `${name}.${namespace}.example.com`,
    clientConfig: { url: `${url}/${name}`, caBundle },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 30,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: [resource] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...settings,
  }
}

/** A server applies configurations a moment after they are written. */
async function untilCalled(
  { post }: CaseClient,
  calls: readonly WebhookCall[],
  count: number,
): Promise<void> {
  const areCalled = async () => {
    await post('secrets?dryRun=All', { metadata: { name: ready } })
    const called = new Set(calls.map(({ webhook }) => webhook).filter((webhook) => webhook.startsWith(ready)))
    return called.size === count
  }
  await until(areCalled, { what: `${count} webhooks are called` })
}

async function listen(webhooks: readonly Webhook[]) {
  const calls: WebhookCall[] = []
  const server = await listenForReviews(async (path, review) => {
    const { apiVersion, request } = review as { apiVersion: string; request: AdmissionRequest }
    const name = path.slice(1)
    calls.push({ webhook: name, apiVersion, request })
    const webhook = webhooks.find((each) => each.name === name)
    const reply = await webhook?.reply?.(request)
    const response = { uid: request.uid, allowed: true, ...reply }
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response, ...webhook?.review }
  })
  return { ...server, calls }
}

/** A server of webhooks. `answer` gets the path and the review of a call, and rejects for the status 500. */
export async function listenForReviews(answer: (path: string, review: unknown) => object | Promise<object>) {
  const authority = createAuthority('webhooks')
  const { certificate: cert, key } = authority.server('127.0.0.1')
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
    const body = JSON.stringify(await answer((incoming.url ?? '/').split('?')[0] ?? '', review))
    response.setHeader('content-type', 'application/json').end(body)
  }
  const server = createServer({ cert, key }, (incoming, response) => {
    respond(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const sockets = new OpenSockets(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      sockets.destroy()
    })
  const caBundle = Buffer.from(authority.certificate).toString('base64')
  return { url: `https://127.0.0.1:${port}`, caBundle, close }
}
