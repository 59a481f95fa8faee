import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { failure } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'

/** The largest request that etcd takes by default, in bytes. */
const maxBytes = 1.5 * 1024 * 1024
/** The minimum size of a request to check. Smaller requests can make an object too large only together. */
const checkedBodyBytes = 64 * 1024
/** The bytes that etcd gets in addition to an object and to its key, which counts twice. */
const overheadBytes = 100

/** Throws 500 for an object that etcd would not store. Only large requests are checked. */
export function checkSize({ body = '' }: ResourceRequest, key: string, object: object): void {
  if (body.length < checkedBodyBytes) return
  const bytes = Buffer.byteLength(stringifyJson(object)) + 2 * key.length + overheadBytes
  if (bytes > maxBytes) throw failure(500, 'etcdserver: request is too large')
}
