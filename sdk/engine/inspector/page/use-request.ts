import { useEffect, useMemo, useState } from 'preact/hooks'
import { ask } from './api.js'
import { RepeatedRequest } from './repeated-request.js'

/** The answer to a request. */
export interface RequestState<T> {
  /** Undefined before the first answer. The last one stays while the next is under way. */
  readonly data: T | undefined
  /** Why there is no answer. */
  readonly problem: string | undefined
}

/**
 * Sends a GET request to the inspector, again when its query or `version` changes. The answer to an earlier query is
 * dropped.
 */
export function useRequest<T>(
  name: string,
  query: Readonly<Record<string, string>>,
  version: unknown,
): RequestState<T> {
  const [state, setState] = useState<RequestState<T>>({ data: undefined, problem: undefined })
  const queryText = JSON.stringify(query)
  const request = useMemo(
    () =>
      new RepeatedRequest<T>({
        send: () => ask<T>(name, JSON.parse(queryText)),
        onAnswer: (data) => setState({ data, problem: undefined }),
        onProblem: ({ message }) => setState(({ data }) => ({ data, problem: message })),
      }),
    [name, queryText],
  )
  useEffect(() => request.refresh(), [request, version])
  useEffect(() => () => request.stop(), [request])
  return state
}
