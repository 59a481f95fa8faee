import type { Key } from '../kube/key.js'
import type { WorkQueue } from '../queue/work-queue.js'
import type { Controller } from './controller.js'
import type { Quarantine } from './quarantine.js'

/** The parts of a running controller that {@link wakeDeleted} needs. */
export interface WakeDeletedOptions {
  controller: Pick<Controller, 'eventTarget'>
  quarantine: Quarantine
  queue: WorkQueue
}

/**
 * Runs a key in quarantine at once if its object is being deleted or gone, so that the deletion of an object that fails
 * does not take a minute. It does so only once: if that run fails too, the key stays in quarantine. Returns whether the
 * key was woken.
 */
export function wakeDeleted(key: Key, { controller, quarantine, queue }: WakeDeletedOptions): boolean {
  if (!quarantine.holds(key)) return false
  const object = controller.eventTarget(key)
  const isDeleted = object === undefined || object.metadata.deletionTimestamp !== undefined
  if (!isDeleted || !quarantine.admitDeletion(key)) return false
  queue.wake(key)
  return true
}
