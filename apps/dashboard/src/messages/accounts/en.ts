/** Texts of accounts: several organizations, and how one signs in. */
export const accounts = {
  'account.organizations': 'Organization',
  'invite.joinTitle': 'Join with your account',
  'invite.hasAccount': 'You have an account already: sign in with its password.',
  'invite.wrong': 'This is not the password of your account.',
  'invite.join': 'Join and sign in',
  'invite.joinText': 'You can change between your organizations in the account menu.',
  'reset.forgotten': 'Forgot your password?',
  'reset.request': 'Forgot your password?',
  'reset.send': 'Send the link',
  'reset.sent':
    'If there is an account with this e-mail, a link is on its way. It works for an hour. Look into the spam folder, too.',
  'reset.back': 'Back to sign-in',
  'reset.title': 'Choose a new password',
  'reset.text': 'You are signed out everywhere else.',
  'reset.used': 'This link was used before, or is too old. Ask for another one on the sign-in page.',
};
