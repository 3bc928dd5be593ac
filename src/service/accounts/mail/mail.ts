/** Mail: the one interface. */
export interface Mail {
  to: string;
  subject: string;
  /** Plain text */
  text: string;
}

export interface MailSender {
  /** Settled when the mail is handed over. @throws FilinglakeError `mail-failed` */
  send(mail: Mail): Promise<void>;
}
