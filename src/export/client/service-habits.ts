/** What a client has learned from a service's answers. It is never kept by address: tomorrow another service may have the same one. */
import { DocumentHabits } from './document-validation.ts';

export class ServiceHabits {
  readonly documents = new DocumentHabits();
}
