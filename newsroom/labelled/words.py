"""The words around stories in eight languages: menus, offers, consent, comments, captions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """What pages of one language say besides their story."""

    consent: str
    offer: str
    newsletter: str
    comments: tuple[str, str, str]
    caption: str
    biography: str
    also: str
    copyright: str
    question: str
    menu: str


WORDS = {
    "en": Words(
        "We and our partners store small files on your device to measure how our pages are read. "
        "You may accept all of them, refuse all of them, or choose for each purpose.",
        "You have reached the end of the free part. Subscribers read every story without limits, "
        "on all their devices, for the price of two coffees a month. Cancel whenever you like.",
        "The morning letter: five stories before breakfast, free of charge in your inbox.",
        (
            "I walked past it yesterday and thought the very same thing. Well reported, thank you!",
            "Nobody has told us what it will cost. My neighbour asked three times, to no avail.",
            "When I was a child this was different, and honestly I do not miss those days at all.",
        ),
        "Neighbours look on as the work begins. Photograph: our own",
        "She has reported on towns and rivers for eleven years and lives with two loud geese.",
        "Read also:",
        "© The publisher. All rights reserved. Reproduction only with our written permission.",
        "How did all of this begin?",
        "Home News World Politics Business Technology Science Health Sport Football "
        "Cricket Tennis Culture Books Film Music Travel Food Weather Opinion Letters "
        "Video Podcasts Jobs Newsletters Property Crosswords About Contact Privacy",
    ),
    "de": Words(
        "Wir und unsere Partner speichern kleine Dateien auf Ihrem Gerät, um zu messen, wie unsere "
        "Seiten gelesen werden. Sie können allem zustimmen, alles ablehnen oder einzeln wählen.",
        "Hier endet der kostenlose Teil. Mit einem Abonnement lesen Sie jeden Beitrag ohne Grenze "
        "auf allen Geräten, zum Preis von zwei Tassen Kaffee im Monat. Jederzeit kündbar.",
        "Der Brief am Morgen: fünf Geschichten vor dem Frühstück, kostenlos in Ihr Postfach.",
        (
            "Gestern bin ich daran vorbeigelaufen und habe genau dasselbe gedacht. Guter Bericht!",
            "Was das kostet, hat uns niemand gesagt. Meine Nachbarin hat dreimal nachgefragt.",
            "In meiner Kindheit war das noch anders, und ehrlich gesagt vermisse ich es nicht.",
        ),
        "Nachbarn sehen dem Beginn der Arbeiten zu. Foto: eigenes",
        "Sie berichtet seit elf Jahren über Städte und Flüsse und lebt mit zwei lauten Gänsen.",
        "Lesen Sie auch:",
        "© Der Verlag. Alle Rechte vorbehalten. Nachdruck nur mit unserer Genehmigung.",
        "Wie hat das alles angefangen?",
        "Startseite Nachrichten Politik Wirtschaft Wissen Gesundheit Sport Fußball Kultur "
        "Bücher Kino Musik Reise Essen Wetter Meinung Leserbriefe Video Podcast "
        "Newsletter Stellenmarkt Immobilien Rätsel Impressum Kontakt Datenschutz Archiv "
        "Abo Anmelden Lokales",
    ),
    "es": Words(
        "Nosotros y nuestros socios guardamos pequeños archivos en su aparato para medir cómo se "
        "leen las páginas. Puede aceptarlos todos, rechazarlos o elegir para cada fin.",
        "Aquí termina la parte gratuita. Quien se suscribe lee todas las historias sin límite y en "
        "todos sus aparatos por el precio de dos cafés al mes. Puede darse de baja cuando quiera.",
        "La carta de la mañana: cinco historias antes del desayuno, gratis en su buzón.",
        (
            "Ayer pasé por delante y pensé exactamente lo mismo. ¡Buen reportaje, muchas gracias!",
            "Nadie nos ha dicho cuánto va a costar. Mi vecina preguntó tres veces y en vano.",
            "Cuando yo era niño esto era distinto, y la verdad es que no lo echo de menos.",
        ),
        "Los vecinos miran el comienzo de las obras. Foto: propia",
        "Lleva once años escribiendo sobre pueblos y ríos, y vive con dos gansos ruidosos.",
        "Lea también:",
        "© La editorial. Todos los derechos reservados. Prohibida la reproducción sin permiso.",
        "¿Cómo empezó todo esto?",
        "Portada Noticias Política Economía Tecnología Ciencia Salud Deportes Fútbol "
        "Cultura Libros Cine Música Viajes Gastronomía Tiempo Opinión Cartas Vídeo "
        "Boletines Empleo Vivienda Pasatiempos Contacto Privacidad Hemeroteca Suscríbete "
        "Sucesos Provincia Agenda",
    ),
    "ru": Words(
        "Мы и наши партнёры храним на вашем устройстве небольшие файлы, чтобы измерять, как читают "
        "наши страницы. Вы можете принять все, отклонить все или выбрать для каждой цели.",
        "Бесплатная часть закончилась. Подписчики читают все материалы без ограничений на любом "
        "устройстве по цене двух чашек кофе в месяц. Отказаться можно в любое время.",
        "Утреннее письмо: пять историй до завтрака, бесплатно в ваш почтовый ящик.",
        (
            "Вчера проходил мимо и подумал ровно о том же самом. Спасибо за хороший рассказ!",
            "Сколько это будет стоить, нам никто не сказал. Соседка спрашивала три раза.",
            "В моём детстве всё было иначе, и, честно говоря, я по тем временам не скучаю.",
        ),
        "Соседи смотрят, как начинаются работы. Фото редакции",
        "Одиннадцать лет пишет о городах и реках, живёт с двумя шумными гусями.",
        "Читайте также:",
        "© Издательство. Все права защищены. Перепечатка только с письменного разрешения.",
        "С чего всё это началось?",
        "Главная Новости Политика Экономика Технологии Наука Здоровье Спорт Футбол "
        "Культура Книги Кино Музыка Путешествия Еда Погода Мнения Письма Видео Подкасты "
        "Рассылка Вакансии Недвижимость Кроссворды Контакты Конфиденциальность Архив "
        "Подписка Реклама Редакция",
    ),
    "ar": Words(
        "نحفظ نحن وشركاؤنا ملفات صغيرة على جهازك لقياس طريقة قراءة صفحاتنا. يمكنك قبولها كلها أو "
        "رفضها كلها أو الاختيار لكل غرض على حدة.",
        "هنا ينتهي الجزء المجاني. يقرأ المشتركون كل القصص بلا حدود وعلى جميع أجهزتهم بثمن فنجانين "
        "من القهوة في الشهر. ويمكن إلغاء الاشتراك في أي وقت.",
        "رسالة الصباح: خمس قصص قبل الفطور تصل مجاناً إلى بريدك.",
        (
            "مررت من هناك أمس وفكرت في الأمر نفسه تماماً. تقرير جميل وشكراً لكم جميعاً!",
            "لم يخبرنا أحد كم سيكلف ذلك. سألت جارتي ثلاث مرات ولم تحصل على جواب.",
            "كان الأمر مختلفاً في طفولتي، وبصراحة لا أشتاق إلى تلك الأيام على الإطلاق.",
        ),
        "الجيران يشاهدون بداية العمل. الصورة: خاصة",
        "تكتب منذ أحد عشر عاماً عن المدن والأنهار وتعيش مع إوزتين صاخبتين.",
        "اقرأ أيضاً:",
        "© الناشر. جميع الحقوق محفوظة. لا يجوز النقل إلا بإذن مكتوب.",
        "كيف بدأ كل هذا؟",
        "الرئيسية الأخبار السياسة الاقتصاد التكنولوجيا العلوم الصحة الرياضة كرة-القدم "
        "الثقافة الكتب السينما الموسيقى السفر المطبخ الطقس الرأي الرسائل الفيديو "
        "البودكاست النشرة الوظائف العقارات الكلمات-المتقاطعة اتصل-بنا الخصوصية الأرشيف "
        "اشترك من-نحن الإعلانات",
    ),
    "zh": Words(
        "我们和合作伙伴会在您的设备上保存小文件，用来统计页面的阅读情况。您可以全部接受、全部拒绝，"
        "也可以按用途逐项选择。",
        "免费部分到此结束。订阅读者可以在所有设备上不受限制地阅读每一篇报道，每月只要两杯咖啡的价格，"
        "随时可以取消。",
        "晨间来信：早餐前读五个故事，免费送到您的邮箱。",
        (
            "昨天我正好路过那里，心里想的一模一样。写得很好，谢谢记者！",
            "到底要花多少钱，没有人告诉我们。我的邻居问了三次都没有结果。",
            "我小时候完全不是这样的，说实话我一点也不怀念那些日子。",
        ),
        "邻居们看着工程开始。本报摄影",
        "她报道城镇与河流已有十一年，家里养着两只吵闹的鹅。",
        "延伸阅读：",
        "© 出版社版权所有，未经书面许可不得转载。",
        "这一切是怎么开始的？",
        "首页 新闻中心 国内新闻 国际新闻 财经频道 科技频道 "
        "科学探索 健康生活 体育新闻 足球天地 文化艺术 读书频道 "
        "电影资讯 音乐频道 旅游频道 美食天地 "
        "天气预报 评论观点 读者来信 视频新闻 播客节目 "
        "邮件订阅 招聘信息 房产频道 填字游戏 联系我们 "
        "隐私政策 历史存档 关于我们 广告服务",
    ),
    "ja": Words(
        "当社と提携先は、ページの読まれ方を調べるため、お使いの端末に小さなファイルを保存します。"
        "すべて許可するか、すべて拒否するか、目的ごとに選ぶことができます。",
        "無料で読めるのはここまでです。購読者は月にコーヒー二杯分の料金で、すべての端末からすべての記事を"
        "制限なく読めます。解約はいつでもできます。",
        "朝の便り：朝食の前に五つの話題を、無料でメールにお届けします。",
        (
            "昨日ちょうど前を通って、まったく同じことを思いました。よい記事をありがとう。",
            "いくらかかるのか誰も教えてくれません。隣の人は三回も尋ねたそうです。",
            "子どものころはこうではありませんでしたが、正直なところ懐かしくはありません。",
        ),
        "作業の始まりを見守る近所の人たち。本紙撮影",
        "町と川を十一年にわたって取材し、にぎやかな二羽のガチョウと暮らす。",
        "あわせて読みたい：",
        "© 発行所。無断転載を禁じます。書面による許可が必要です。",
        "すべてはどのように始まったのですか。",
        "トップ ニュース 国内 国際 経済 テクノロジー 科学 "
        "健康 スポーツ サッカー 文化 読書 映画 音楽 "
        "旅行 グルメ 天気予報 社説 読者の声 動画ニュース "
        "ポッドキャスト メールマガジン 求人情報 不動産 "
        "クロスワード お問い合わせ プライバシーポリシー アーカイブ "
        "会社概要 広告掲載",
    ),
    "hi": Words(
        "हम और हमारे साझेदार आपके उपकरण पर छोटी फ़ाइलें रखते हैं ताकि यह माप सकें कि हमारे पन्ने कैसे पढ़े जाते "
        "हैं। आप सबको स्वीकार कर सकते हैं, सबको ठुकरा सकते हैं या हर उद्देश्य के लिए अलग चुन सकते हैं।",
        "मुफ़्त भाग यहाँ समाप्त होता है। सदस्य महीने में दो कप कॉफ़ी के दाम पर सभी उपकरणों पर हर ख़बर बिना "
        "किसी सीमा के पढ़ते हैं। सदस्यता कभी भी छोड़ी जा सकती है।",
        "सुबह की चिट्ठी: नाश्ते से पहले पाँच कहानियाँ, मुफ़्त आपके डाक में।",
        (
            "कल मैं वहाँ से गुज़रा और बिल्कुल यही सोचा। अच्छी रिपोर्ट के लिए बहुत धन्यवाद!",
            "इस पर कितना ख़र्च होगा यह किसी ने नहीं बताया। मेरी पड़ोसन ने तीन बार पूछा।",
            "मेरे बचपन में यह सब अलग था, और सच कहूँ तो मुझे वे दिन याद नहीं आते।",
        ),
        "काम शुरू होते देखते पड़ोसी। तस्वीर: अपनी",
        "वे ग्यारह साल से क़स्बों और नदियों पर लिखती हैं और दो शोर मचाते हंसों के साथ रहती हैं।",
        "यह भी पढ़ें:",
        "© प्रकाशक। सभी अधिकार सुरक्षित। लिखित अनुमति के बिना प्रकाशन मना है।",
        "यह सब कैसे शुरू हुआ?",
        "मुखपृष्ठ समाचार राजनीति व्यापार प्रौद्योगिकी विज्ञान स्वास्थ्य खेल फुटबॉल "
        "क्रिकेट संस्कृति किताबें फ़िल्म संगीत यात्रा भोजन मौसम विचार पत्र वीडियो "
        "पॉडकास्ट समाचारपत्र नौकरियाँ संपत्ति वर्गपहेली संपर्क गोपनीयता अभिलेख सदस्यता "
        "विज्ञापन",
    ),
}
"""The words by language."""
