/** src/register.ts: registers Modules and Workspaces. */
export const registerFile = `import { deployments, services } from 'vcluster-plugin-sdk'
import { moduleControllers } from 'vcluster-plugin-sdk/modules'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import { webProgram } from './web-program.js'

/**
 * The beginnings of the URLs that programs may come from. Programs also come from ConfigMaps of the namespace of the
 * operator.
 */
const { PROGRAMS_URL } = process.env

/**
 * Registers Modules and Workspaces. \`main.ts\` calls it, and tests call it with a test operator. Modules with a
 * definition of the kind \`Web\` use the program that is part of the operator. Others name a program that the operator
 * loads.
 */
export function register(operator: Operator): void {
  operator.register(
    ...moduleControllers({
      builtIn: { Web: webProgram },
      programs: { allow: PROGRAMS_URL ? [PROGRAMS_URL] : [] },
      // The permissions of their managers; \`npm run rbac\` prints the roles. Objects in the namespace of the Module go
      // with it. For kinds with objects elsewhere add the verb list: then an Event names those that an uninstallation
      // leaves.
      permissions: [
        { resource: deployments, verbs: ['get', 'create', 'patch', 'delete'] },
        { resource: services, verbs: ['get', 'create', 'patch', 'delete'] },
      ],
    }),
  )
}
`

/** src/main.ts: the program. */
export const mainFile = (name: string) => `import { createOperator } from 'vcluster-plugin-sdk/operator'
import { register } from './register.js'

const operator = createOperator({ name: '${name}' })
register(operator)
await operator.start()
`
