import type { Client } from '../../sdk/engine/client/client.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
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
): Promise<InternalWebhookOptions> {
  const port = await freePort()
  const host = '127.0.0.1'
  const url = `https://${host}:${port}`
  return { ...options, certificate: 'selfSigned', host, port, url, drainMs: 0, settleMs: 0 }
}

/** The maximum time until the configurations are written, in milliseconds. */
const defaultLimitMs = 30_000

/** Resolves when the operator has written the configurations of its webhooks. Rejects if it does not in time. */
export async function untilPublished(
  client: Client,
  { name, webhooks }: Pick<OperatorDescription, 'name' | 'webhooks'>,
  { limitMs = defaultLimitMs }: { limitMs?: number } = {},
): Promise<void> {
  const kinds = webhooks?.configurationKinds ?? []
  const endMs = systemClock.now() + limitMs
  for (const resource of [mutatingWebhookConfigurations, validatingWebhookConfigurations]) {
    const isThere = () =>
      client.get(resource, { namespace: '', name }).then(
        () => true,
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
