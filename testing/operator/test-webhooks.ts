import type { Client } from '../../sdk/engine/client/client.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { sleep, systemClock } from '../../sdk/engine/time/clock.js'
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../sdk/engine/webhook/configuration/webhook-configuration.js'
import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import type { InternalWebhookOptions, WebhookOptions } from '../../sdk/operator/webhook/webhook-options.js'
import { freePort } from '../../simulator/free-ports.js'

/** The options for webhooks that an API server in the same process calls. */
export async function webhooksOnLoopback(
  options: Pick<WebhookOptions, 'kinds' | 'reads'>,
): Promise<InternalWebhookOptions & { url: string }> {
  const port = await freePort()
  const host = '127.0.0.1'
  const url = `https://${host}:${port}`
  return { ...options, certificate: 'selfSigned', host, port, url, drainMs: 0, settleMs: 0 }
}

/** The maximum time until the configurations are written, in milliseconds. */
const defaultLimitMs = 30_000

/** The configurations of an operator whose webhooks are at a URL. */
interface PublishedWebhooks extends Pick<OperatorDescription, 'name' | 'webhooks'> {
  readonly url: string
}

/**
 * Resolves when the operator has written the configurations of its webhooks. Rejects if it does not in time. Those of
 * an earlier operator of the same name have another URL.
 */
export async function untilPublished(
  client: Client,
  { name, webhooks, url }: PublishedWebhooks,
  { limitMs = defaultLimitMs }: { limitMs?: number } = {},
): Promise<void> {
  const kinds = webhooks?.configurationKinds ?? []
  const endMs = systemClock.now() + limitMs
  for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations]) {
    const isThere = () =>
      client.get(resource, { namespace: '', name }).then(
        (configuration) => callsOnly(configuration, url),
        (error: unknown) => {
          if (isNotFound(error)) return false
          throw error
        },
      )
    while (kinds.includes(resource.kind) && !(await isThere())) {
      if (systemClock.now() > endMs)
        throw new Error(
          `the operator has not written its ${resource.kind} ${name} after ${limitMs / 1000} s; its log says why`,
        )
      await sleep(systemClock, 20)
    }
  }
}

function callsOnly(configuration: KubeObject, url: string): boolean {
  const { webhooks = [] } = configuration as { webhooks?: readonly { clientConfig?: { url?: string } }[] }
  return webhooks.every(({ clientConfig }) => clientConfig?.url?.startsWith(`${url}/`))
}
