import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { OpenObject } from '../base/object.js'
import { mediaType } from '../request/body.js'
import { failure } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'

/** The largest request that etcd takes by default, in bytes. */
const maxBytes = 1.5 * 1024 * 1024
/** The minimum size of a request to check. Smaller requests can make an object too large only together. */
const checkedBodyBytes = 64 * 1024
/** The bytes that etcd gets in addition to an object and to its key, which counts twice. */
const overheadBytes = 100

/**
 * Removes the managed fields of an object that etcd would not store with them, as a kube-apiserver does, and throws 500
 * if the object is still too large or applied. Only large requests are checked.
 */
export function checkSize({ body = '', headers }: ResourceRequest, key: string, object: OpenObject): void {
  if (body.length < checkedBodyBytes || fits(key, object)) return
  const isApply = mediaType(headers['content-type']) === 'application/apply-patch+yaml'
  if (!isApply) delete object.metadata.managedFields
  if (isApply || !fits(key, object)) throw failure(500, 'etcdserver: request is too large')
}

function fits(key: string, object: OpenObject): boolean {
  return Buffer.byteLength(stringifyJson(object)) + 2 * key.length + overheadBytes <= maxBytes
}
