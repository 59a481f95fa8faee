/**
 * Checks what an operator needs in one of its clusters: definitions, permissions, in the first one its Lease and its
 * webhooks, and whether objects wait for it to be deleted. Each part is checked on its own: a part that the
 * credentials may not read is skipped.
 */
import type { Finding } from '../finding.js'
import { findingsIfReadable } from '../if-readable.js'
import { definitionFindings } from './definition-findings.js'
import { deletionFindings } from './deletion-findings.js'
import { leaseFinding } from './lease-finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'
import { permissionFinding } from './permission-finding.js'
import { webhookFindings } from './webhook-findings.js'

/** The findings, in the order in which the operator needs the parts. */
export async function operatorFindings(options: OperatorFindingsOptions): Promise<Finding[]> {
  const { clusters, isElected } = options.description
  const isFirst = options.cluster === clusters[0]
  const hasLease = isFirst && isElected
  return [
    ...(await findingsIfReadable('definitions', () => definitionFindings(options))),
    ...(await findingsIfReadable('permissions', async () => [await permissionFinding(options)])),
    ...(hasLease ? await findingsIfReadable('Lease', async () => [await leaseFinding(options)]) : []),
    ...(isFirst ? await findingsIfReadable('webhooks', () => webhookFindings(options)) : []),
    ...(await findingsIfReadable('deletions', () => deletionFindings(options))),
  ]
}
