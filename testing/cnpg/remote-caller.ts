import { createSecureContext } from 'node:tls'
import { Client, type ClientOptions, credentials, type ServiceError } from '@grpc/grpc-js'
import { CallError, type ClientMethod, type PluginCaller } from './caller.js'

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
  readonly #client: Client
  readonly #limitMs: number | undefined

  constructor(target: PluginSocket | PluginAddress) {
    this.#client = 'socket' in target ? overSocket(target) : overTls(target)
    this.#limitMs = 'socket' in target ? undefined : tcpLimitMs
  }

  call<Request, Response>(method: ClientMethod<Request, Response>, request: Request): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = method
    const options = this.#limitMs === undefined ? {} : { deadline: Date.now() + this.#limitMs }
    return new Promise((resolve, reject) => {
      const answer = (error: ServiceError | null, response: Response | undefined) =>
        error ? reject(new CallError(error.code, error.details)) : resolve(response as Response)
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, options, answer)
    })
  }

  close(): void {
    this.#client.close()
  }
}

/** The operator sends messages of any size, and receives 4 MiB, gRPC's default. */
const messageLimits: ClientOptions = { 'grpc.max_send_message_length': -1 }

function overSocket({ socket }: PluginSocket): Client {
  return new Client(`unix://${socket}`, credentials.createInsecure(), messageLimits)
}

function overTls({ address, serverName, serverCert, clientCert, clientKey }: PluginAddress): Client {
  // Like the operator, this trusts an issued certificate without the certificate of its authority.
  const trusted = { ca: serverCert, allowPartialTrustChain: true }
  const clientTls = { cert: clientCert, key: clientKey, minVersion: 'TLSv1.3' } as const
  const tls = credentials.createFromSecureContext(createSecureContext({ ...trusted, ...clientTls }))
  return new Client(address, tls, {
    ...messageLimits,
    'grpc.ssl_target_name_override': serverName,
    'grpc.default_authority': serverName,
  })
}
