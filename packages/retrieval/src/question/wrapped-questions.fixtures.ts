/** Questions by language. */
export const BARE_QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'What is the notice period?',
    'How many vacation days do employees get?',
    'Who approves business trips?',
    'When does the office close on Fridays?',
    'How long is the warranty on the dishwasher?',
    'Which documents do I need for an expense claim?',
    'Can I carry over unused vacation days?',
    'How do I reset the coffee machine?',
    'What does the parking permit cost?',
    'Where can I find the first aid kit?',
  ],
  de: [
    'Wie lange ist die Kündigungsfrist?',
    'Wie viele Urlaubstage bekommen Mitarbeiter?',
    'Wer genehmigt Dienstreisen?',
    'Wann schließt das Büro am Freitag?',
    'Wie hoch ist die Kaution für die Wohnung?',
    'Welche Unterlagen brauche ich für die Reisekostenabrechnung?',
    'Kann ich nicht genommenen Urlaub ins nächste Jahr übertragen?',
    'Wie setze ich die Kaffeemaschine zurück?',
    'Was kostet der Parkausweis?',
    'Wo steht der Verbandskasten?',
  ],
  fr: [
    'Quel est le délai de préavis ?',
    'Combien de jours de congé ont les employés ?',
    'Qui approuve les déplacements professionnels ?',
    'À quelle heure ferme le bureau le vendredi ?',
    'Combien de temps dure la garantie du lave-vaisselle ?',
    'Quels documents faut-il pour une note de frais ?',
    'Puis-je reporter les congés non pris ?',
    'Comment réinitialiser la machine à café ?',
    'Combien coûte le permis de stationnement ?',
    'Où se trouve la trousse de secours ?',
  ],
  es: [
    '¿Cuál es el plazo de preaviso?',
    '¿Cuántos días de vacaciones tienen los empleados?',
    '¿Quién aprueba los viajes de negocios?',
    '¿A qué hora cierra la oficina los viernes?',
    '¿Cuánto dura la garantía del lavavajillas?',
    '¿Qué documentos necesito para una nota de gastos?',
    '¿Puedo transferir las vacaciones no disfrutadas?',
    '¿Cómo se reinicia la cafetera?',
    '¿Cuánto cuesta el permiso de aparcamiento?',
    '¿Dónde está el botiquín?',
  ],
  zh: [
    '通知期是多久？',
    '员工有多少天年假？',
    '谁批准出差申请？',
    '办公室周五几点关门？',
    '洗碗机的保修期多长？',
    '报销需要哪些材料？',
    '未休的年假可以结转吗？',
    '如何重置咖啡机？',
    '停车证多少钱？',
    '急救箱在哪里？',
  ],
  ja: [
    '解約予告期間はどのくらいですか？',
    '従業員の有給休暇は何日ですか？',
    '出張は誰が承認しますか？',
    'オフィスは金曜日何時に閉まりますか？',
    '食洗機の保証期間はどのくらいですか？',
    '経費精算にはどの書類が必要ですか？',
    '未消化の有給休暇は繰り越せますか？',
    'コーヒーメーカーはどうやってリセットしますか？',
    '駐車許可証の料金はいくらですか？',
    '救急箱はどこにありますか？',
  ],
};
const low = (q: string): string => q.charAt(0).toLowerCase() + q.slice(1);
const withoutMark = (q: string): string => q.replace(/[¿?？]/g, '').trim();
/** What people write around a question, by language and kind. */
export const WRAPPINGS: Readonly<Record<string, Readonly<Record<string, (question: string) => string>>>> = {
  en: {
    greeting: (q) => `Hi there, hope you're doing well! ${q}`,
    greeting2: (q) => `Good morning Ms Keller,\n\n${low(q)}\n\nThanks`,
    background: (q) =>
      `I started in the Hamburg branch three weeks ago and moved here with my family. My manager told me to check the portal but I could not log in. ${q}`,
    background2: (q) => `We had a long meeting yesterday and nobody knew the answer, so ${low(q)}`,
    signature: (q) =>
      `${q}\n\nBest regards,\nKim Doe\nHead of Sales, Acme Ltd.\n12 High Street, London\nTel. +44 20 1234 5678`,
    instruction: (q) => `${q} Please answer in two sentences and cite your sources. Don't make anything up.`,
    quoted: (q) =>
      `${q}\n\nOn Mon, 3 Mar 2025 at 10:12, Sam Lee <sam@example.com> wrote:\n> Please send me the latest figures for the Berlin project.\n> The budget must be approved by Friday.`,
    outlook: (q) =>
      `Hello Support,\n\n${q}\n\nKind regards\nKim\n\nFrom: Sam Lee\nSent: Monday, March 3, 2025\nTo: Kim Doe\nSubject: RE: Budget\n\nThe budget must be approved by Friday. Can you send me the figures?`,
    hurry: (q) => `URGENT!!! I need this ASAP: ${q} It's really urgent, I'm in a hurry`,
    capitals: (q) => `${q.toUpperCase()}??`,
    dictated: (q) => `um hi so i was just wondering uh ${low(withoutMark(q))} thanks bye`,
    polite: (q) => `Could you please tell me: ${low(q)}`,
    combo: (q) =>
      `Dear team,\n\nI hope this email finds you well. I have a quick question. I have been working in the warehouse since May and my colleague was not sure. ${q} Any help would be appreciated.\n\nThank you in advance!\nKim\n--\nKim Doe | Warehouse | Acme`,
  },
  de: {
    greeting: (q) => `Hallo zusammen, ich hoffe, es geht euch gut! ${q}`,
    greeting2: (q) => `Guten Morgen Frau Keller,\n\n${low(q)}\n\nVielen Dank`,
    background: (q) =>
      `Ich habe vor drei Wochen in der Niederlassung Hamburg angefangen und bin mit meiner Familie umgezogen. Mein Chef sagte, ich solle im Portal nachsehen. ${q}`,
    background2: (q) =>
      `Gestern hatten wir eine lange Besprechung und niemand wusste Bescheid, also: ${low(q)}`,
    signature: (q) =>
      `${q}\n\nMit freundlichen Grüßen\nKim Muster\nLeiterin Vertrieb, Acme GmbH\nHauptstraße 12, Berlin\nTel. +49 30 1234567`,
    instruction: (q) => `${q} Bitte antworte in zwei Sätzen und nenne die Quellen. Erfinde nichts.`,
    quoted: (q) =>
      `${q}\n\nAm 03.03.2025 um 10:12 schrieb Sam Lee <sam@example.com>:\n> Bitte schicke mir die aktuellen Zahlen für das Berliner Projekt.\n> Das Budget muss bis Freitag freigegeben werden.`,
    outlook: (q) =>
      `Hallo Support,\n\n${q}\n\nViele Grüße\nKim\n\nVon: Sam Lee\nGesendet: Montag, 3. März 2025\nAn: Kim Muster\nBetreff: AW: Budget\n\nDas Budget muss bis Freitag freigegeben werden. Kannst du mir die Zahlen schicken?`,
    hurry: (q) => `DRINGEND!!! Ich brauche das sofort: ${q} Es eilt sehr!`,
    capitals: (q) => `${q.toUpperCase()}??`,
    dictated: (q) => `äh hallo also ich wollte mal fragen ähm ${low(withoutMark(q))} danke tschüss`,
    polite: (q) => `Könnten Sie mir bitte sagen: ${low(q)}`,
    combo: (q) =>
      `Sehr geehrte Damen und Herren,\n\nich hoffe, es geht Ihnen gut. Ich hätte eine kurze Frage. Ich arbeite seit Mai im Lager und mein Kollege war sich nicht sicher. ${q} Für Ihre Hilfe wäre ich sehr dankbar.\n\nVielen Dank im Voraus!\nKim\n--\nKim Muster | Lager | Acme`,
  },
  fr: {
    greeting: (q) => `Bonjour à tous, j'espère que vous allez bien ! ${q}`,
    greeting2: (q) => `Bonjour Madame Keller,\n\n${low(q)}\n\nMerci`,
    background: (q) =>
      `J'ai commencé il y a trois semaines à l'agence de Lyon et j'ai déménagé avec ma famille. Mon chef m'a dit de regarder sur le portail. ${q}`,
    background2: (q) => `Hier nous avons eu une longue réunion et personne ne savait, donc ${low(q)}`,
    signature: (q) =>
      `${q}\n\nCordialement,\nKim Dupont\nDirectrice des ventes, Acme SA\n12 rue de la Paix, Paris\nTél. +33 1 23 45 67 89`,
    instruction: (q) => `${q} Merci de répondre en deux phrases et de citer vos sources. N'inventez rien.`,
    quoted: (q) =>
      `${q}\n\nLe lun. 3 mars 2025 à 10:12, Sam Lee <sam@example.com> a écrit :\n> Merci de m'envoyer les derniers chiffres du projet de Berlin.\n> Le budget doit être approuvé vendredi.`,
    outlook: (q) =>
      `Bonjour le support,\n\n${q}\n\nCordialement\nKim\n\nDe : Sam Lee\nEnvoyé : lundi 3 mars 2025\nÀ : Kim Dupont\nObjet : RE: Budget\n\nLe budget doit être approuvé vendredi. Peux-tu m'envoyer les chiffres ?`,
    hurry: (q) => `URGENT !!! J'ai besoin de la réponse tout de suite : ${q} C'est très urgent !`,
    capitals: (q) => `${q.toUpperCase()}??`,
    dictated: (q) => `euh bonjour alors je voulais juste savoir euh ${low(withoutMark(q))} merci au revoir`,
    polite: (q) => `Pourriez-vous me dire s'il vous plaît : ${low(q)}`,
    combo: (q) =>
      `Bonjour,\n\nJ'espère que vous allez bien. J'ai une petite question. Je travaille à l'entrepôt depuis mai et mon collègue n'était pas sûr. ${q} Je vous remercie de votre aide.\n\nMerci d'avance !\nKim\n--\nKim Dupont | Entrepôt | Acme`,
  },
  es: {
    greeting: (q) => `Hola a todos, ¡espero que estén bien! ${q}`,
    greeting2: (q) => `Buenos días, señora Keller:\n\n${low(q)}\n\nGracias`,
    background: (q) =>
      `Empecé hace tres semanas en la sucursal de Sevilla y me mudé con mi familia. Mi jefe me dijo que mirara en el portal. ${q}`,
    background2: (q) => `Ayer tuvimos una reunión muy larga y nadie lo sabía, así que ${low(q)}`,
    signature: (q) =>
      `${q}\n\nUn saludo,\nKim Pérez\nDirectora de ventas, Acme SA\nCalle Mayor 12, Madrid\nTel. +34 91 123 45 67`,
    instruction: (q) => `${q} Por favor, responde en dos frases y cita las fuentes. No inventes nada.`,
    quoted: (q) =>
      `${q}\n\nEl lun, 3 mar 2025 a las 10:12, Sam Lee (<sam@example.com>) escribió:\n> Por favor, envíame las últimas cifras del proyecto de Berlín.\n> El presupuesto debe aprobarse el viernes.`,
    outlook: (q) =>
      `Hola soporte:\n\n${q}\n\nSaludos cordiales\nKim\n\nDe: Sam Lee\nEnviado: lunes, 3 de marzo de 2025\nPara: Kim Pérez\nAsunto: RE: Presupuesto\n\nEl presupuesto debe aprobarse el viernes. ¿Puedes enviarme las cifras?`,
    hurry: (q) => `¡¡URGENTE!! Necesito la respuesta ya: ${q} ¡Es muy urgente!`,
    capitals: (q) => `${q.toUpperCase()}??`,
    dictated: (q) => `eh hola pues quería preguntar este ${low(withoutMark(q))} gracias adiós`,
    polite: (q) => `¿Podría decirme, por favor, ${low(q.replace('¿', ''))}`,
    combo: (q) =>
      `Estimados señores:\n\nEspero que estén bien. Tengo una pregunta breve. Trabajo en el almacén desde mayo y mi compañero no estaba seguro. ${q} Agradecería su ayuda.\n\n¡Muchas gracias de antemano!\nKim\n--\nKim Pérez | Almacén | Acme`,
  },
  zh: {
    greeting: (q) => `大家好，希望一切都好！${q}`,
    greeting2: (q) => `王女士，您好：\n\n${q}\n\n谢谢`,
    background: (q) =>
      `我三周前开始在上海分公司上班，和家人一起搬了过来。经理让我去门户网站看看，可是我登录不了。${q}`,
    background2: (q) => `昨天我们开了很长的会，大家都不清楚，所以请问${q}`,
    signature: (q) => `${q}\n\n此致\n敬礼\n李明\n销售总监，某某公司\n电话：010-12345678`,
    instruction: (q) => `${q}请用两句话回答，并注明来源。不要编造。`,
    quoted: (q) =>
      `${q}\n\n在 2025年3月3日 10:12，王伟 <w@example.com> 写道：\n> 请把北京项目的最新数据发给我。\n> 预算必须在周五之前批准。`,
    outlook: (q) =>
      `您好，\n\n${q}\n\n祝好\n李明\n\n发件人: 王伟\n发送时间: 2025年3月3日\n收件人: 李明\n主题: 回复: 预算\n\n预算必须在周五之前批准。你能把数据发给我吗？`,
    hurry: (q) => `急！！！我马上就要知道：${q}非常紧急！`,
    capitals: (q) => `${q}？？`,
    dictated: (q) => `嗯你好那个我想问一下${withoutMark(q)}谢谢`,
    polite: (q) => `能麻烦您告诉我一下${q}`,
    combo: (q) =>
      `您好！\n\n打扰了，我有一个小问题。我从五月起在仓库工作，同事也不确定。${q}非常感谢您的帮助。\n\n期待您的回复！\n李明\n--\n李明 | 仓库`,
  },
  ja: {
    greeting: (q) => `皆さん、こんにちは。お元気でしょうか。${q}`,
    greeting2: (q) => `田中様\n\nお世話になっております。\n${q}\n\nよろしくお願いいたします。`,
    background: (q) =>
      `三週間前に大阪支店で働き始め、家族と引っ越してきました。上司にはポータルを見るように言われましたが、ログインできませんでした。${q}`,
    background2: (q) => `昨日の長い会議では誰も分からなかったのですが、${q}`,
    signature: (q) =>
      `${q}\n\nよろしくお願いいたします。\n山田太郎\n営業部長　株式会社アクメ\n東京都千代田区1-2-3\n電話 03-1234-5678`,
    instruction: (q) => `${q}二文で簡潔に答えてください。出典も示してください。`,
    quoted: (q) =>
      `${q}\n\n2025年3月3日 10:12 佐藤 <s@example.com> のメール:\n> 大阪プロジェクトの最新の数字を送ってください。\n> 予算は金曜日までに承認が必要です。`,
    outlook: (q) =>
      `サポート御中\n\nお世話になっております。\n${q}\n\n以上、よろしくお願いいたします。\n山田\n\n差出人: 佐藤\n送信日時: 2025年3月3日\n宛先: 山田\n件名: RE: 予算\n\n予算は金曜日までに承認が必要です。数字を送ってもらえますか？`,
    hurry: (q) => `至急です！！すぐに知りたいのですが、${q}急いでいます！`,
    capitals: (q) => `${q}！！`,
    dictated: (q) =>
      `えっとこんにちはあのちょっとお聞きしたいんですけど${withoutMark(q)}ありがとうございます`,
    polite: (q) => `恐れ入りますが、教えていただけますか。${q}`,
    combo: (q) =>
      `お世話になっております。\n\n一つ質問があります。五月から倉庫で働いておりますが、同僚もはっきり分かりませんでした。${q}教えていただけると助かります。\n\nどうぞよろしくお願いいたします。\n山田\n--\n山田太郎 | 倉庫`,
  },
};
