import type { BoundaryKind, Launch, LaunchOptions } from './boundary.js'
import { namespacesLaunch } from './namespaces-launch.js'
import { spareUser } from './spare-user.js'

/** How a process is started behind a boundary. */
export function launchOf(kind: BoundaryKind, options: LaunchOptions): Launch {
  if (kind === 'namespaces') return namespacesLaunch(options)
  const { node: command, args } = options
  if (kind === 'none') return { command, args }
  const id = spareUser()
  return { command, args, uid: id, gid: id }
}
