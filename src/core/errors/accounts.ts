/** Errors of accounts: sign-up, log-in, plans, billing and mail. */
import type { ErrorsByExit } from './exit-codes.ts';

export const ACCOUNT_ERRORS = {
  usage: {
    'email-invalid': ['The e-mail address can not be read.', 'Give one address, such as name@example.org.', 400],
    'password-invalid': ['The password is too short or too long.', 'Give 10 to 200 characters.', 400],
    'account-unknown': ['There is no account with this e-mail address.', 'Run `filinglake accounts list`.'],
    'accounts-database-taken': ['The database has accounts already.', 'Name an empty database: nothing was moved.'],
    'account-exists': ['There is an account with this e-mail address.', 'Run `filinglake accounts list EMAIL`.'],
    'plan-change-invalid': ['The plan can not be changed in this way.', 'Choose another plan of the list.', 400],
    'plan-request-unknown': ['There is no open request for a plan.', 'Run `filinglake accounts requests`.', 404],
    'account-refused': ['The operator has closed the account.', 'Write to the operator of the service.', 403],
    'key-limit-reached': ['The account has as many keys as it may have.', 'Revoke a key that you do not need.', 400],
    'link-invalid': ['The one-time link is unknown, used or too old.', 'Ask for a new link.', 400],
    'log-in-refused': ['The e-mail address or the password is wrong.', 'Try again, or ask for a one-time link.', 401],
    'form-refused': ['The form was not sent from a page of this service.', 'Load the page again and send it.', 403],
    'attempts-exceeded': ['There were too many attempts.', 'Wait as long as the message says.', 429],
    'event-refused': ['An event of the billing provider is not signed, or too old.', 'Check secret and clock.', 400],
  },
  error: {
    'accounts-busy': ['The accounts are locked, or too many passwords are being checked.', 'Try again.', 503],
    'accounts-unreachable': [
      'The PostgreSQL server of the accounts does not answer, or refuses the connection.',
      'Check the server, and the address in --accounts or FILINGLAKE_ACCOUNTS.',
      503,
    ],
    'billing-unreachable': ['The billing provider does not answer.', 'Try again later.', 503],
    'mail-failed': ['A mail could not be sent.', 'Check FILINGLAKE_SMTP_URL and the mail server.'],
  },
} as const satisfies ErrorsByExit;
