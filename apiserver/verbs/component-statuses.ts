import { notFound } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import { Entry } from '../store/entry.js'

/** The components of the control plane as `v1 ComponentStatus`; here only the store. */
const store = new Entry(
  'etcd-0',
  {
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  } as Entry['object'],
  0,
)

/** All component statuses. */
export function componentStatuses(): Entry[] {
  return [store]
}

/** The component status that a request names. Throws 404. */
export function componentStatus({ target }: ResourceRequest): Entry {
  if (target.name === store.key) return store
  throw notFound({ group: '', plural: 'componentstatus' }, target.name)
}
