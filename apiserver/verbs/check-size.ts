import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { failure } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'

/** The largest request that etcd takes by default, in bytes. */
const maxBytes = 1.5 * 1024 * 1024
/** A request that is smaller than this makes no object too large, unless many of them do together. */
const checkedBodyBytes = 64 * 1024
/** The size of what etcd gets in addition to an object and, twice, its key. */
const overheadBytes = 100

/** Throws 500 for an object that etcd would not store. Only large requests are checked. */
export function checkSize({ body = '' }: ResourceRequest, key: string, object: object): void {
  if (body.length < checkedBodyBytes) return
  const bytes = Buffer.byteLength(stringifyJson(object)) + 2 * key.length + overheadBytes
  if (bytes > maxBytes) throw failure(500, 'etcdserver: request is too large')
}
