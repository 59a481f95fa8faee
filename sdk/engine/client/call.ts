import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { RequestedObject } from '../transport/expected-answer.js'
import type { TransportRequest } from '../transport/transport.js'
import type { CallOptions } from './client.js'

/** A write to be sent. */
export interface WriteCall {
  resource: Resource
  key: Key
  /** The object as it is sent; left out for patches and deletes. */
  object?: KubeObject
  method: TransportRequest['method']
  path: string
  body?: string
  contentType?: string
  options: CallOptions
  /** Describes the problem of the answer, if any; default `objectProblem`. */
  problemOf?: (answer: object) => string | undefined
}

/** The object that the answer of a write must be about. */
export function expectedAnswer({ resource, key, object, options }: WriteCall): RequestedObject {
  const { generateName, uid } = object?.metadata ?? {}
  const subresource = 'subresource' in options ? String(options.subresource ?? '') : ''
  return { resource, key, subresource, generateName, uid }
}
