import { isLoopback, listenAddress } from '../../engine/health/listen-address.js'
import type { InternalWebhookOptions } from './webhook-options.js'

/**
 * The options of the webhooks of a program, with the address and the certificate folder of its environment:
 * `WEBHOOK_ADDRESS` is the `host:port` to listen on, behind a Service, and `WEBHOOK_CERTIFICATE_FOLDER` the folder with
 * `tls.crt` and `tls.key`. `dev` sets both. On loopback the port closes at once when the program stops, because an API
 * server on this machine notices. Throws `PluginError` `INVALID_ADDRESS`.
 */
export function webhooksByEnvironment(
  options: InternalWebhookOptions,
  env: Readonly<Record<string, string | undefined>>,
): InternalWebhookOptions {
  const { WEBHOOK_ADDRESS: address, WEBHOOK_CERTIFICATE_FOLDER: folder } = env
  const { url: _url, host: _host, ...behindService } = options
  const listen = address ? listenAddress('WEBHOOK_ADDRESS', address) : undefined
  return {
    ...(listen ? { ...behindService, ...listen } : options),
    ...(listen && isLoopback(listen) && { drainMs: 0 }),
    ...(folder && { certificate: { folder } }),
  }
}
