/**
 * `vcluster-plugin doctor`: checks the clusters, permissions and tools that a program needs.
 *
 * It changes nothing. Each failed check says what to do. `programs/` has one file per kind of program.
 */
import { PluginError } from '../../sdk/engine/kube/error.js'
import { print } from '../terminal/output.js'
import type { DoctorOptions } from './doctor-options.js'
import { nodeFinding, pluginFinding } from './machine-findings.js'
import { programFindings } from './programs/program-findings.js'

/** Prints the findings. Throws `PluginError` `PROBLEMS_FOUND` if a check failed. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  const findings = [
    nodeFinding(process.versions.node),
    await pluginFinding(options.folder),
    ...(await programFindings(options)),
  ]
  const table = findings.map(({ state, check, message }) => [state, check, message])
  await print({ data: findings, table: [['STATE', 'CHECK', 'FINDING'], ...table] }, options.output)
  const failed = findings.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return
  const names = failed.map(({ check }) => check).join(', ')
  throw new PluginError(
    'PROBLEMS_FOUND',
    `${failed.length} of ${findings.length} checks failed: ${names}; the findings say what to do`,
  )
}
