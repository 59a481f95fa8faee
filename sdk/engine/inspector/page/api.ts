/** Sends a request to the inspector. Rejects with its message if it cannot answer. */
export async function ask<T>(name: string, query: Readonly<Record<string, string>>): Promise<T> {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const response = await fetch(`api/${name}?${new URLSearchParams(entries)}`)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}
