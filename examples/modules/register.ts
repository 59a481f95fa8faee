import { deployments, services } from 'vcluster-plugin-sdk'
import { type LoadedProgramsOptions, moduleControllers } from 'vcluster-plugin-sdk/modules'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import webProgram from './web-program.js'

/** Registers Modules and Workspaces. The program is part of the operator; without `programs` no other is loaded. */
export function register(operator: Operator, programs?: LoadedProgramsOptions): void {
  operator.register(
    ...moduleControllers({
      builtIn: { Web: webProgram },
      ...(programs && { programs }),
      // All objects of the program are in the namespace of the Module and go with it, so `list` is not needed to report
      // those that are left.
      permissions: [
        { resource: deployments, verbs: ['get', 'create', 'patch', 'delete'] },
        { resource: services, verbs: ['get', 'create', 'patch', 'delete'] },
      ],
    }),
  )
}
