import * as z from 'zod'

/** The API group of Modules and Workspaces. */
export const group = 'batch.forkspacer.com'

/** A text of any form. */
export const text = z.string()

/** An object of any form, which the API server keeps as it is. */
export const anyObject = z.looseObject({})

/** The name of an object and its namespace. */
export const nameIn = (namespace: string) =>
  z.object({ name: z.string().min(1), namespace: z.string().default(namespace) })

/** One key of a ConfigMap. */
export const configMapKey = (key: string) =>
  z.object({
    name: z.string().min(1),
    namespace: z.string().default('default'),
    key: z.string().default(key),
  })

/** A time as Kubernetes writes it, without a fraction of a second. */
export const timeText = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')
