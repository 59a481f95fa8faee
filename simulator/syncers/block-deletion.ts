import type { KubeObject } from '../../sdk/kube/object.js'

/**
 * Says that a copy was created before its original and must not be deleted for want of it; vcluster takes it off once there is
 * an original.
 */
export const blockDeletion = 'vcluster.loft.sh/block-deletion'

/** Whether the copy waits for its original. */
export const isDeletionBlocked = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[blockDeletion] === 'true'
