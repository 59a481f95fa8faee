import { isEventOrLease, outside, type RecordedWrite } from '../recorder/recorded-write.js'
import { targetPath } from '../requests/request-target.js'

/** The last apply of each object that the operator applied, without applies of the status. */
export function lastApplies(writes: readonly RecordedWrite[]): RecordedWrite[] {
  const last = new Map<string, RecordedWrite>()
  for (const write of writes) {
    const { cluster, target, applied, after } = write
    if (!applied || !after || cluster === outside || target.subresource !== '') continue
    if (!isEventOrLease(target.plural)) last.set(`${cluster} ${targetPath(target)}`, write)
  }
  return [...last.values()]
}
