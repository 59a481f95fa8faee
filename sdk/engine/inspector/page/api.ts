/** Asks the inspector to do something. Rejects with its message if it does not. */
export async function post(name: string, query: Readonly<Record<string, string>>): Promise<void> {
  const headers = { 'x-inspector': '1' }
  const response = await fetch(`api/${name}?${new URLSearchParams(query)}`, { method: 'POST', headers })
  if (!response.ok) throw new Error((await response.json()).error)
}

/** Sends a request to the inspector. Rejects with its message if it cannot answer. */
export async function ask<T>(name: string, query: Readonly<Record<string, string>>): Promise<T> {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const response = await fetch(`api/${name}?${new URLSearchParams(entries)}`)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}
