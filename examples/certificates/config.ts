import type { RegisterContext } from 'vcluster-plugin-sdk'
import * as z from 'zod'

const issuer = z.strictObject({
  /** An Issuer of the host namespace, or a ClusterIssuer. */
  name: z.string().min(1).default('vcluster'),
  kind: z.enum(['Issuer', 'ClusterIssuer']).default('Issuer'),
})

const schema = z.strictObject({ issuer: issuer.prefault({}) })

/** The settings of the host's administrator: users of the virtual cluster cannot choose an issuer. */
export type Config = z.infer<typeof schema>

/** Reads the configuration. An invalid value stops the plugin with an error that names it. */
export const configOf = (ctx: RegisterContext): Config => ctx.config(schema)
