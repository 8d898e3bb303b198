"""The vocabulary of the demo campus: only word lists and sentence patterns."""

from __future__ import annotations

UNIVERSITY = "University of Westmoor"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _words(
    "Ada Adrian Agnes Alan Alice Amir Andrea Anna Anton Aylin Barbara Beatrix Benno Carla Caspar Chiara Clara "
    "Daniel David Diana Dora Edith Elena Emil Emma Erik Eva Fabian Fatima Felix Flora Frances Franz Georg Grace "
    "Greta Hanna Hans Helen Hugo Ida Imre Ines Irene Ivan Jakob Jana Johan Jonas Julia Karim Karl Katrin Kurt Lara "
    "Laura Lea Leon Lena Lukas Magda Maria Marta Martin Max Mira Moritz Nadia Nils Nina Nora Olga Oskar Otto Paul "
    "Petra Pia Rafael Rosa Rudolf Ruth Samuel Sara Simon Sofia Stefan Susan Tamara Theo Thomas Ursula Vera Victor "
    "Walter Yara Zoe"
)
LAST = _words(
    "Adler Albrecht Almeida Anders Bach Baker Banerjee Bauer Becker Berger Bianchi Bishop Blake Brandt Brenner "
    "Brooks Burke Caruso Castle Chen Clarke Conti Cooper Dahl Danek Dietrich Dorn Eberle Eder Egger Ellis Falk "
    "Farkas Ferrari Fischer Fleming Foster Frank Fuchs Gallo Garcia Geiger Graf Greco Gruber Haas Hahn Hansen "
    "Harper Hartmann Hayes Heller Herzog Hofer Holm Horvat Huber Hughes Ivanov Jansen Jung Kaiser Kaya Keller Kelly "
    "Kern Klein Kovacs Kramer Kraus Lang Larsen Lechner Lehner Lindner Lorenz Maier Mancini Marsh Mayr Meyer "
    "Mitchell Moser Müller Nagy Nielsen Novak Olsen Orlova Ortega Palmer Parker Patel Pichler Pohl Popescu Price "
    "Quinn Rahman Rauch Reiter Ricci Richter Riedl Rossi Roth Russell Sandberg Sato Schmid Schuster Seidl Shaw "
    "Silva Singer Sommer Stadler Stein Steiner Stone Strasser Suzuki Szabo Tanaka Thaler Toth Turner Ulrich Urban "
    "Varga Vogel Vogt Wagner Walsh Weber Weiss Wells Wiesner Winkler Wolf Wood Yilmaz Young Zach Zeller Ziegler "
    "Zimmer Öberg Jäger Köhler Muñoz Schröder Grünwald"
)

# Departments: code, name, and subjects.
FIELDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("math", "Mathematics", ("graph theory", "number theory", "numerical analysis", "topology", "probability")),
    ("phys", "Physics", ("quantum optics", "soft matter", "particle detectors", "astrophysics", "low temperatures")),
    ("chem", "Chemistry", ("catalysis", "polymer chemistry", "spectroscopy", "organic synthesis", "electrochemistry")),
    ("info", "Computer Science", ("web search", "operating systems", "compilers", "databases", "cryptography")),
    ("elec", "Electrical Engineering", ("power grids", "antennas", "signals", "control theory", "chip design")),
    ("mech", "Mechanical Engineering", ("fluid dynamics", "robotics", "materials testing", "turbines", "acoustics")),
    ("civil", "Civil Engineering", ("timber structures", "tunnelling", "hydraulics", "bridge design", "geodesy")),
    ("arch", "Architecture", ("urban design", "building history", "housing", "landscape design", "conservation")),
    ("geo", "Earth Sciences", ("glaciers", "seismology", "mineralogy", "remote sensing", "groundwater")),
    ("bio", "Life Sciences", ("plant genetics", "ecology", "microbiology", "bioinformatics", "marine biology")),
    ("econ", "Economics", ("labour markets", "game theory", "public finance", "trade", "econometrics")),
    ("law", "Law", ("data protection", "comparative law", "patent law", "labour law", "legal history")),
    ("hist", "History", ("medieval cities", "economic history", "archives", "history of science", "migration")),
    ("ling", "Linguistics", ("phonetics", "corpus linguistics", "dialects", "syntax", "language acquisition")),
    ("psy", "Psychology", ("memory", "perception", "decision making", "child development", "sleep research")),
    ("mus", "Music", ("early music", "composition", "music theory", "choral practice", "sound archives")),
)

BUILDINGS = (
    "Old Observatory", "North Tower", "Library Annex", "Main Building", "River Campus", "Boiler House",
    "Physics Wing", "Garden Pavilion", "Student House", "Machine Hall", "Chapel Court", "Workshop Yard",
)  # fmt: skip
HOST_WORDS = _words(
    "alpine archive atlas borough bridge central city college data delta digital eastern field forum harbour "
    "heritage house institute lake language library maritime metro museum network northern open press public region "
    "research river science society southern state summit survey union valley"
)
WORK_WORDS = _words(
    "adaptive analysis applied approach bounds classical collection comparative computing design dynamic early "
    "efficient evidence evolution experimental field framework general history improved inference large limits "
    "local mapping measuring methods model modern new notes observed optimal patterns perspectives practice "
    "problems progress recent robust scale sparse stable structure study survey systems theory towards uncertain "
    "understanding urban"
)
MONTHS = _words("January February March April May June July August September October November December")

# Subjects of pages: kind, pattern of the title.
TITLES: tuple[tuple[str, str], ...] = (
    ("department", "Department of {field}: {topic_title}"),
    ("group", "Research group {topic_title}"),
    ("group", "{topic_title} laboratory, {building}"),
    ("person", "{name}, {field}"),
    ("person", "{name}: teaching and research"),
    ("course", "{code} {number} {topic_title} {level}"),
    ("course", "{code} {number} Seminar in {topic}"),
    ("event", "Lecture series on {topic}, {month} {year}"),
    ("event", "{field} open day {year}"),
    ("news", "News: award for {topic} project"),
    ("news", "News: {name} joins {field}"),
    ("service", "{building}: rooms, access and opening hours"),
)
LEVELS = ("I", "II", "for beginners", "advanced topics", "laboratory course", "project work")

# Sentences of each kind of page; the last list fits everywhere.
SENTENCES: dict[str, tuple[str, ...]] = {
    "start": (
        "The university teaches {count} students in {small} degree programmes.",
        "It was founded in the {building}, which is still its oldest house.",
        "Campus tours start every {day} at {hour} in front of the {building}.",
        "Applications for the coming year are open until the end of {month}.",
        "This {month} the Department of {field2} invites guests to its open day.",
        "Current work reaches from {topic} to {topic2}.",
    ),
    "department": (
        "The department teaches {count} students in bachelor, master and doctoral programmes.",
        "Research in {topic} and {topic2} is organised in {small} groups with shared laboratories.",
        "The department office in the {building} answers questions about admission, examinations and credits.",
        "Together with the Department of {field2} it runs a joint master programme in {topic}.",
        "Its {topic} library holds about {count} volumes, most of them on open shelves.",
    ),
    "group": (
        "The group works on {topic} and its links with {topic2}.",
        "A project with the Department of {field2} measures how {topic} changes everyday practice.",
        "{name} leads the group together with {name2}.",
        "The laboratory in the {building} may be visited after registration.",
        "We offer topics for bachelor and master theses in {topic} every {month}.",
        "Since {year} the group has supervised {small} doctoral theses.",
    ),
    "person": (
        "{name} has taught {topic} here since {year}.",
        "Before that {name} worked on {topic2} at a partner institute.",
        "Office hours are on {day} from {hour} to {hour2} in room {room}, {building}.",
        "Students who want to write a thesis about {topic} should send a short outline before {month}.",
        "A complete list of publications on {topic} and {topic2} is kept by the library.",
    ),
    "course": (
        "The course introduces the main questions of {topic} and works through examples from {topic2}.",
        "Lectures are held on {day} at {hour} in lecture hall {room}, {building}.",
        "Grades are based on weekly exercises, a short talk and a written examination in {month}.",
        "Participants should have passed a first course in {topic2}.",
        "The number of places in the laboratory part is limited to {small}.",
        "Slides and exercise sheets appear every {day} after the lecture.",
    ),
    "event": (
        "The event takes place in the {building} and starts at {hour}.",
        "{name} opens the programme with a talk on {topic}.",
        "Admission is free; please register by the end of {month}.",
        "Afterwards {name2} invites everybody to a discussion of {topic2}.",
        "Recordings of the talks of {year} can be found in the media archive.",
    ),
    "news": (
        "The project on {topic} receives funding for {small} years.",
        "The jury praised the close work between {field} and {field2}.",
        "{name} said that the result would not have been possible without the team in the {building}.",
        "First results on {topic2} were presented in {month} {year}.",
        "The prize will be presented at the ceremony in the {building}.",
    ),
    "service": (
        "The {building} is open on weekdays from {hour} to {hour2}.",
        "Rooms can be booked online by members of all departments.",
        "A lift at the east entrance leads to all floors; room {room} has an induction loop.",
        "Bicycles can be left in the yard, parking is limited to {small} places.",
        "In {month} the house is closed for maintenance.",
    ),
    "": (
        "Questions are answered by {name} in room {room}.",
        "More about {topic} can be found on the pages of the Department of {field2}.",
        "Last year {count} people took part, among them many guests from abroad.",
        "The next meeting of the {topic2} working circle is on {day} in the {building}.",
        "A short report was printed in the {month} issue of the campus magazine.",
        "The following pages give an overview and are kept up to date by the staff.",
    ),
}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
HEADINGS = (
    "Overview", "Background", "Programme", "Teaching", "Current work", "Cooperation", "Practical information",
    "History", "For students", "For visitors", "Projects", "Outlook",
)  # fmt: skip
LEADS = (
    "See also {link}.", "Details are on the page {link}.", "This continues the work described under {link}.",
    "Closely related: {link}.", "Please read {link} first.", "Further reading: {link}.", "Compare {link}.",
)  # fmt: skip
