import type { Status } from '../../engine/kube/error.js'

/** Makes an answer that clients of Kubernetes show as an error: a `meta/v1 Status` as JSON. Interceptors send it. */
export function statusResponse(code: number, reason: string, message: string): Response {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  }
  return Response.json(status, { status: code })
}
