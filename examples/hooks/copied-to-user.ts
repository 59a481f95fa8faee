import type { Service } from 'vcluster-plugin-sdk'

/** vcluster's API sets this annotation on a host Service that it creates for a user's request. */
const createdForUser = 'vcluster.loft.sh/block-deletion'

/**
 * Whether vcluster is about to copy the ports of the host Service to the user's Service without calling a
 * hook.
 *
 * vcluster's API does that when a user creates a Service, and when a user changes an `ExternalName` Service
 * to another type. It writes to the host first, so that both Services get the cluster IP and the node ports
 * that the host allocated. The syncer updates the host Service right after that to remove the annotation.
 */
export function isCopiedToUser({ metadata, spec }: Service): boolean {
  const isCreated = metadata.annotations?.[createdForUser] === 'true'
  const isBetweenTypes = metadata.uid !== undefined && spec?.type !== 'ExternalName' && !spec?.clusterIP
  return isCreated || isBetweenTypes
}
