import * as z from 'zod'

/** The schema of a plugin that declares none: every parameter is a text. */
export const anyParameters = z.record(z.string(), z.string())
