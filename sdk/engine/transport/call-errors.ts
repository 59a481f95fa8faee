import { NetworkError } from '../kube/network-error.js'
import { FailedAttempt } from './attempt.js'
import type { CallScope } from './call-scope.js'
import { networkProblem } from './network-problem.js'
import type { TransportRequest } from './transport.js'

const certificateProblem = /CERT|ISSUER|SIGNATURE|ALTNAME|UNKNOWN_CA|KEY_VALUES_MISMATCH/

/** Whether the server's certificate is not trusted, or the server does not accept the client's certificate. */
export function isCertificateProblem({ code }: FailedAttempt): boolean {
  return certificateProblem.test(code)
}

/** The errors of calls to one server, in words: which call failed, where, and what to do. */
export class CallErrors {
  readonly #host: string

  /** @param host host and port of the server */
  constructor(host: string) {
    this.#host = host
  }

  /** The error for the caller: the scope's reason if the scope was ended, else the failure of the network. */
  explain(request: TransportRequest, scope: CallScope, error: unknown): unknown {
    if (scope.signal.aborted) return scope.signal.reason
    if (!(error instanceof FailedAttempt)) return error
    const reason = networkProblem(error, this.#host) + hintFor(error.code)
    const isOfCertificates = isCertificateProblem(error)
    return new NetworkError(`${this.#describe(request)}: ${reason}`, {
      cause: error.cause,
      reason,
      isOfCertificates,
    })
  }

  timeoutError(request: TransportRequest): Error {
    // The same name as the error of `AbortSignal.timeout`, by which callers recognise a timeout.
    const reason = 'no answer in time; check the load of the API server, and the network to it'
    return new NetworkError(`${this.#describe(request)}: ${reason}`, { name: 'TimeoutError', reason })
  }

  closedError(): Error {
    return new NetworkError(`The connection to ${this.#host} was closed by this program.`)
  }

  #describe({ method, path }: TransportRequest): string {
    return `${method} ${path.replace(/\?.*$/, '')} at ${this.#host}`
  }
}

/** The hint about an error code for the end of a message; `''` if there is none. */
function hintFor(code: string): string {
  if (code.endsWith('KEY_VALUES_MISMATCH'))
    return '; check that client-certificate and client-key in the kubeconfig belong together'
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code))
    return '; renew the certificate of the server, or compare the clocks'
  if (/_ALERT_.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code))
    return '; the server rejects the client certificate: renew client-certificate and client-key'
  if (certificateProblem.test(code))
    return '; check certificate-authority and tls-server-name in the kubeconfig'
  return hints[code] ?? ''
}

const reachability = '; check that the network lets this machine reach it'

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: '; check that the API server runs and that the kubeconfig names it',
  ENOTFOUND: '; check the name of the server in the kubeconfig',
  EAI_AGAIN: '; check the DNS servers of this machine, and the name of the server in the kubeconfig',
  ETIMEDOUT: reachability,
  EHOSTUNREACH: reachability,
  ENETUNREACH: reachability,
}
