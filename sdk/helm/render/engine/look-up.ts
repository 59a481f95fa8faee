import type { Lookup, LookupQuery } from '../renderer.js'

/** How often a chart is rendered again with more answers. */
export const maxLookupRounds = 5

/** Answers to lookups by their key, `null` for what does not exist. */
export type LookupAnswers = Readonly<Record<string, object | null>>

/** Finds the answers to new lookups. Without a function to ask, nothing exists. */
export async function lookUp(
  asked: readonly string[],
  lookup: Lookup | undefined,
  signal: AbortSignal,
): Promise<LookupAnswers> {
  const found = asked.map(async (key) => [key, (await lookup?.(queryOf(key), signal)) ?? null] as const)
  return Object.fromEntries(await Promise.all(found))
}

/** Names of objects have no `|`, so a key has exactly four parts. */
function queryOf(key: string): LookupQuery {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = key.split('|')
  return { apiVersion, kind, namespace, name }
}
