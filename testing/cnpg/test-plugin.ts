import type { CnpgPlugin } from '../../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../../sdk/cnpg/plugin.js'
import type { CnpgPluginOptions } from '../../sdk/cnpg/plugin-options.js'
import { warningLogger } from '../plugin/warning-logger.js'

/**
 * Makes a plugin for tests: it does not listen, prints only warnings and errors, and runs each hook of `EVALUATE` twice
 * and once on its own output. A difference fails the call, with its path.
 *
 * @example
 * ```ts
 * const plugin = testCnpgPlugin({ name: 'hello.example.org', version: '0.1.0' })
 * plugin.cluster({ status: () => ({ enabled: true }) })
 * const operator = await testCnpgOperator(plugin)
 * await operator.create({ metadata: { name: 'db' }, spec: { plugins: [{ name: plugin.name }] } })
 * ```
 */
export function testCnpgPlugin<P = Record<string, string>>(options: CnpgPluginOptions<P>): CnpgPlugin<P> {
  return new PluginRuntime({
    logger: warningLogger(),
    env: {},
    args: [],
    ...options,
    trial: 'always',
    statusPauseMs: 0,
  })
}
