import { PluginError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Session } from './session.js'

/** How long the API server may take to answer, in milliseconds. */
const timeoutMs = 10_000

/** Options of {@link checkNamespace}. */
export interface CheckNamespaceOptions {
  logger: Logger
  signal: AbortSignal
}

/**
 * Rejects with `PluginError` `NO_NAMESPACE` if the target namespace does not exist in the host cluster. Lists and
 * watches of a namespace that does not exist are empty rather than refused, so no other error would show it. If the
 * plugin may not read namespaces, nothing is checked.
 */
export async function checkNamespace(
  { host, facts }: Session,
  { logger, signal }: CheckNamespaceOptions,
): Promise<void> {
  const { targetNamespace } = facts
  const path = `/api/v1/namespaces/${targetNamespace}`
  const request = host.request({ method: 'GET', path, signal, timeoutMs })
  const status = await request
    .then((answer) => answer.status)
    .catch((error: unknown) => {
      logger.debug({ error, path }, 'whether the target namespace exists could not be asked')
    })
  if (status !== 404) return
  throw new PluginError(
    'NO_NAMESPACE',
    `the host cluster has no namespace ${targetNamespace}, the target of all copies: create it, or correct TARGET_NAMESPACE or the vcluster's values`,
  )
}
