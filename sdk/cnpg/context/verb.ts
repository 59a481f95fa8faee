/** An operation of the operator. `EVALUATE` compares the Pod that it would create now with the running Pod. */
export type ObjectVerb = 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE' | 'EVALUATE'
