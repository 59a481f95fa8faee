import type { ApplyRequest } from './apply-request.js'

/** The kinds of the core group whose deletion deletes data. */
const withData: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'PersistentVolume'])

/** Whether an object may be deleted to be created again with other immutable fields. */
export function mayRecreate({
  resource: { group, kind },
  recreate = false,
}: Pick<ApplyRequest, 'resource' | 'recreate'>): boolean {
  return group === '' && withData.has(kind) ? recreate === 'with-data' : recreate !== false
}
