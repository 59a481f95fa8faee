import { GrpcClient } from '../../sdk/engine/grpc/client.js'
import type { GrpcTarget } from '../../sdk/engine/grpc/connection.js'
import { GrpcError } from '../../sdk/engine/grpc/grpc-error.js'
import type { Method } from '../../sdk/engine/grpc/service.js'
import { CallError, type PluginCaller } from './caller.js'

/** A plugin at the socket that an operator or an instance would open. */
export interface PluginSocket {
  /** An absolute path, for example `/plugins/hello.example.org`. */
  readonly socket: string
}

/** A plugin behind mutual TLS. Certificates and keys are PEM texts. */
export interface PluginAddress {
  /** `host:port`. */
  readonly address: string
  /** The name of the Service, which the certificate of the plugin must have as a DNS name. */
  readonly serverName: string
  /** `tls.crt` of the Secret of the server: the operator trusts these certificates and no other. */
  readonly serverCert: string
  /** `tls.crt` of the Secret of the client. */
  readonly clientCert: string
  /** `tls.key` of the Secret of the client. */
  readonly clientKey: string
}

/** The operator gives up after this time over TCP, in milliseconds; it has no limit over a socket. */
const tcpLimitMs = 30_000

/** Calls the methods of a plugin as the operator does: over a socket, or over TCP with mutual TLS. */
export class RemoteCaller implements PluginCaller {
  readonly #client: GrpcClient
  readonly #timeoutMs: number

  constructor(target: PluginSocket | PluginAddress) {
    this.#client = new GrpcClient('socket' in target ? { address: `unix:${target.socket}` } : overTls(target))
    this.#timeoutMs = 'socket' in target ? Number.POSITIVE_INFINITY : tcpLimitMs
  }

  async call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    try {
      return await this.#client.call(method, request, { timeoutMs: this.#timeoutMs })
    } catch (error) {
      if (error instanceof GrpcError) throw new CallError(error.code, error.details)
      throw error
    }
  }

  close(): void {
    this.#client.close()
  }
}

function overTls({ address, serverName, serverCert, clientCert, clientKey }: PluginAddress): GrpcTarget {
  // Like the operator, this trusts an issued certificate without the certificate of its authority.
  const trusted = { ca: serverCert, allowPartialTrustChain: true, servername: serverName }
  const tls = { ...trusted, cert: clientCert, key: clientKey, minVersion: 'TLSv1.3' } as const
  return { address, authority: serverName, tls }
}
