import { useEffect, useState } from 'preact/hooks'
import { ask } from './api.js'

/** The answer to a request. */
export interface RequestState<T> {
  /** Undefined before the first answer. The last one stays while the next is under way. */
  readonly data: T | undefined
  /** Why there is no answer. */
  readonly problem: string | undefined
}

/** Sends a request, again when its query or `version` changes. A late answer is dropped. */
export function useAsked<T>(
  name: string,
  query: Readonly<Record<string, string>>,
  version: unknown,
): RequestState<T> {
  const [asked, setAsked] = useState<RequestState<T>>({ data: undefined, problem: undefined })
  const text = JSON.stringify(query)
  useEffect(() => {
    let isLate = false
    ask<T>(name, JSON.parse(text)).then(
      (data) => isLate || setAsked({ data, problem: undefined }),
      (error: Error) => isLate || setAsked(({ data }) => ({ data, problem: error.message })),
    )
    return () => {
      isLate = true
    }
  }, [name, text, version])
  return asked
}
