import type { RegisterContext } from 'vcluster-plugin-sdk'
import * as z from 'zod'

const schema = z.strictObject({
  answeredPod: z
    .string()
    .min(1)
    .default('stuff')
    .describe('Name of the Pod that the interceptor answers for'),
  answer: z
    .string()
    .min(1)
    .default('definitelynotstuff')
    .describe("Name of the Pod in the interceptor's response"),
  cars: z.boolean().default(true).describe('Whether cars are copied to the host'),
})

/** The settings under `plugins.everything.config` in the vcluster's values. */
export type Config = z.infer<typeof schema>

/** Reads the configuration. An invalid value stops the plugin with an error that names it. */
export const configOf = (ctx: RegisterContext): Config => ctx.config(schema)
