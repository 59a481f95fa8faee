import { relative } from 'node:path'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { freePorts } from '../../../simulator/free-ports.js'
import { UsageError } from '../../terminal/usage-error.js'
import { DevInspector } from '../inspector/dev-inspector.js'
import { OperatorSession } from '../operator-session.js'
import type { DevProgram, DevProgramOptions } from './dev-program.js'

/** An operator on embedded clusters. Throws `UsageError` for options that need a vcluster or a real cluster. */
export async function operatorProgram(
  programOptions: DevProgramOptions,
  description: OperatorDescription,
): Promise<DevProgram> {
  const { options, plugin, report } = programOptions
  report.setProgram('operator')
  if (options.real)
    throw new UsageError(
      `dev runs an operator on an embedded cluster; remove --kubeconfig and --context, or run ${relative('.', plugin.entry)} itself with KUBECONFIG set`,
    )
  const [programPort = 0] = options.once ? [] : await freePorts(1)
  const inspector = await DevInspector.start({ once: options.once, programPort })
  return new OperatorSession({ ...programOptions, inspector }, description)
}
