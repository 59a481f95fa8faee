/** An operation of the operator. `EVALUATE` compares the Pod that it would make now with the one that runs. */
export type ObjectVerb = 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE' | 'EVALUATE'
