import type { StoredRelease } from '../../release/stored-release.js'

/** Whether a revision was deployed at some time. */
export const wasDeployed = ({ release }: StoredRelease) =>
  ['deployed', 'superseded'].includes(release.info.status)

/** Whether an operation on a revision is under way, or was interrupted. */
export const isPending = ({ release }: StoredRelease) => release.info.status.startsWith('pending-')
